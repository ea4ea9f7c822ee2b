// Text that a spreadsheet would run as a formula. An apostrophe in front makes plain text of it.
const FORMULA = /^[=+\-@\t\r]/;

/** The text, with `'` in front if a spreadsheet would take it for a formula. */
export const disarmed = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);
