// Which fields are codes or telephone numbers, where spaces and punctuation do not count. Their names say so, whatever
// the resource.
import type { Folding } from '../../trade/text/fold.ts';
import type { Field } from './field.ts';

const CODES: ReadonlySet<string> = new Set([
  'license_plate',
  'vin',
  'iban',
  'vat_number',
  'kvk_number',
  'postcode',
  'article_number',
  'ean',
  'invoice_number',
  'engine_number',
]);
const PHONES: ReadonlySet<string> = new Set(['phone', 'mobile']);

export const foldingOf = (name: string, { folding }: Pick<Field, 'folding'>): Folding =>
  folding ?? (CODES.has(name) ? 'code' : PHONES.has(name) ? 'phone' : 'text');
