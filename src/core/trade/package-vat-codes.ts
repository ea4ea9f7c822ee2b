// The codes that a bookkeeping program has for our VAT codes: `owner.vat_codes`, the text of a JSON object such as
// `{"1": "VH", "2": "VL"}`. A VAT code without an entry keeps its own name, which no program takes for another code.
import { LISTS, nameOf } from './lists.ts';

/** The identifiers of the Auditfile have at most this length. */
const LONGEST_CODE = 35;
const NUMBERS: ReadonlySet<string> = new Set(Object.values(LISTS.vatcodes).map(String));

/** Whether a text is a JSON object with a code for some numbers of `vatcodes`. */
export const isVatCodes = (text: string): boolean => parse(text) !== undefined;

/** The codes of the program, by the number of the VAT code. An empty field has none. */
export function packageVatCodes(text: string | null): (code: number) => string {
  const codes = parse(text ?? '') ?? {};
  return (code) => codes[code] ?? String(nameOf('vatcodes', code));
}

function parse(text: string): Record<string, string> | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
  const entries = Object.entries(parsed);
  return entries.every(([number, code]) => NUMBERS.has(number) && isCode(code))
    ? (Object.fromEntries(entries) as Record<string, string>)
    : undefined;
}

/** Letters, digits and signs that no program reads as the end of the code. */
const isCode = (code: unknown): boolean =>
  typeof code === 'string' &&
  code.length <= LONGEST_CODE &&
  /^[^\p{C}\p{Z}]+(?: [^\p{C}\p{Z}]+)*$/u.test(code);
