// The two formats of an e-invoice. Both are UBL 2.1 with the same content; they differ in the name of their rules.

export const CUSTOMIZATIONS = {
  /** The Dutch rules (SI-UBL 2). */
  nlcius: 'urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0',
  /** The rules of the Peppol network (BIS Billing 3). */
  peppol: 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0',
} as const;

export type Format = keyof typeof CUSTOMIZATIONS;

export const FORMATS = Object.keys(CUSTOMIZATIONS) as readonly Format[];
export const DEFAULT_FORMAT: Format = 'nlcius';

/** An invoice and the answer to it, in both formats. */
export const PROFILE = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';
