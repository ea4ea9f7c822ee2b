// Hashes and verifies passwords with argon2id. The cost (19 MiB, two passes) is the minimum that OWASP advises.
import { hash, verify } from '@node-rs/argon2';

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, COST);

/** A hash with an all-zero salt and digest, at the same cost. No known password has this digest. */
const NOBODY = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/**
 * Whether the password belongs to the hash. Without a hash the answer is false, and takes as long as for a wrong
 * password: the time must not tell which usernames exist.
 */
export async function verifyPassword(
  passwordHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  const matches = await verify(passwordHash ?? NOBODY, password);
  return matches && passwordHash != null;
}
