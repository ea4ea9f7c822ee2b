// Random secrets. Most are stored as a hash. The webhook secret of a key signs callbacks, so the service must read it
// back: it is stored encrypted under the signing secret ("sealed").
import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

export const randomSecret = (bytes = 32): string => randomBytes(bytes).toString('base64url');

/** SHA-256 in hexadecimal. */
export const digest = (text: string): string => hash('sha256', text, 'hex');

/** A digest of a text that may hold a password: nobody who has only the database can try passwords on it. */
export const keyedDigest = (signingSecret: string, text: string): string =>
  createHmac('sha256', signingSecret).update(text).digest('hex');

const sealingKey = (signingSecret: string) =>
  Buffer.from(hkdfSync('sha256', signingSecret, '', 'forecourt webhook secrets', 32));

export function seal(signingSecret: string, text: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', sealingKey(signingSecret), iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Throws if the text was sealed under another signing secret. */
export function unseal(signingSecret: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', sealingKey(signingSecret), bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString(
    'utf8',
  );
}

/** Whether the text was sealed under this signing secret, and is not empty. */
export function opens(signingSecret: string, sealed: string): boolean {
  try {
    return unseal(signingSecret, sealed) !== '';
  } catch {
    return false;
  }
}
