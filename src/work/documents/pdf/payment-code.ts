// The QR code with which the buyer pays by an app of a bank: the standard EPC069-12 of the European Payments Council.
import { create } from 'qrcode';

interface Transfer {
  readonly iban: string;
  readonly bic: string | null;
  readonly name: string;
  /** Euros with two decimals, above 0. */
  readonly amount: string;
  /** The text for the transfer, such as the number of the invoice. */
  readonly remittance: string;
}

export interface Matrix {
  /** Modules of a side. */
  readonly size: number;
  /** Dark modules, as runs in a row. */
  readonly runs: readonly { readonly x: number; readonly y: number; readonly length: number }[];
}

const LONGEST_NAME = 70;
const LONGEST_REMITTANCE = 140;
const MOST_EUROS = 999_999_999.99;
const BIC = /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/;

/** The text of the code, version 002 in UTF-8. Undefined for an amount that the standard does not allow. */
export function transferText({ iban, bic, name, amount, remittance }: Transfer): string | undefined {
  if (!(Number(amount) > 0) || Number(amount) > MOST_EUROS) return undefined;
  const code = bic?.toUpperCase() ?? '';
  return [
    ...['BCD', '002', '1', 'SCT'],
    BIC.test(code) ? code : '',
    oneLine(name, LONGEST_NAME),
    iban.replaceAll(' ', ''),
    `EUR${amount}`,
    // No purpose, and no structured reference of ISO 11649.
    '',
    '',
    oneLine(remittance, LONGEST_REMITTANCE),
  ].join('\n');
}

const oneLine = (text: string, most: number): string =>
  Array.from(text.replace(/\s+/g, ' ').trim()).slice(0, most).join('').trim();

/** The modules of a QR code with this text. The standard asks for the error correction M. */
export function matrixOf(text: string): Matrix {
  const { modules } = create([{ data: Buffer.from(text), mode: 'byte' }], { errorCorrectionLevel: 'M' });
  const { size, data } = modules;
  const runs: { x: number; y: number; length: number }[] = [];
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1) {
      if (!data[y * size + x]) continue;
      const from = x;
      while (x < size && data[y * size + x]) x += 1;
      runs.push({ x: from, y, length: x - from });
    }
  return { size, runs };
}
