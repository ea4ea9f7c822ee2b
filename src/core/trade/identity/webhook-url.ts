// The form of the address of a webhook: https, no user or password, at most 2,000 characters. Where the address leads
// is checked by platform/calls/address.ts.
const MOST_CHARACTERS = 2_000;

/** The address of a webhook; undefined: its form is not allowed. */
export function parseWebhookUrl(value: string): URL | undefined {
  // URL accepts spaces, line ends and backslashes, which other programs read differently.
  if (!/^https:\/\/[^\s\\\p{Cc}/][^\s\\\p{Cc}]*$/iu.test(value) || !URL.canParse(value)) return undefined;
  if (Array.from(value).length > MOST_CHARACTERS) return undefined;
  const url = new URL(value);
  return url.username === '' && url.password === '' ? url : undefined;
}
