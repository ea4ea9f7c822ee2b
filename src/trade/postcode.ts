// Dutch postcodes: four digits, the first not 0, and two letters other than SA, SD and SS.
// A record is lenient about case and the space and stores one form; the address check wants that very form.

const LENIENT = /^([1-9]\d{3}) ?(?!SA|SD|SS)([A-Z]{2})$/i;
const EXACT = /^[1-9]\d{3} (?!SA|SD|SS)[A-Z]{2}$/;

/** `1234ab`, `1234 ab` or `1234AB` as `1234 AB`; undefined where it is no Dutch postcode. */
export function normaliseDutchPostcode(text: string): string | undefined {
  const parts = LENIENT.exec(text);
  return parts ? `${parts[1]} ${parts[2]?.toUpperCase()}` : undefined;
}

/** Whether the text is a Dutch postcode written exactly as `1234 AB`. */
export function isExactDutchPostcode(text: string): boolean {
  return EXACT.test(text);
}
