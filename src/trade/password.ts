// Passwords are kept as argon2id hashes (19 MiB, two passes: the least that OWASP advises).
import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, COST);

// Verifying against a hash that nobody has the password of takes the time of a wrong password.
const NOBODY = hashPassword(randomBytes(32).toString('hex'));

/** Whether the password is the one; without a hash always false, after the same time. */
export async function verifyPassword(
  passwordHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  const matches = await verify(passwordHash ?? (await NOBODY), password);
  return matches && passwordHash != null;
}
