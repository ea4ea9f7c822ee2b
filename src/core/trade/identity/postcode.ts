// Dutch postcodes: four digits, the first not 0, and two letters other than SA, SD and SS.
// A record accepts any case and a missing space, and stores one form. The address check accepts only that form.

const LENIENT = /^([1-9]\d{3}) ?(?!SA|SD|SS)([A-Z]{2})$/i;
const EXACT = /^[1-9]\d{3} (?!SA|SD|SS)[A-Z]{2}$/;

/** Turns `1234ab`, `1234 ab` and `1234AB` into `1234 AB`. Undefined if the text is not a Dutch postcode. */
export function normaliseDutchPostcode(text: string): string | undefined {
  const parts = LENIENT.exec(text);
  return parts ? `${parts[1]} ${parts[2]?.toUpperCase()}` : undefined;
}

/** Whether the text is a Dutch postcode in exactly the form `1234 AB`. */
export function isExactDutchPostcode(text: string): boolean {
  return EXACT.test(text);
}
