// Passwords are kept as argon2id hashes (19 MiB, two passes: the least that OWASP advises). A process computes two
// hashes at a time, so that guesses can't take its memory and its processors from other requests.
import { hash, verify } from '@node-rs/argon2';
import { Problem, violation } from '../../core/errors.ts';

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const AT_ONCE = 2;
const MOST_WAITING = 20;

/** A request that waits for a hash. `whom` is the address or the owner that asked. */
interface Waiting {
  readonly whom: string;
  readonly start: () => void;
  readonly refuse: (problem: Problem) => void;
}

let running = 0;
const waiting: Waiting[] = [];

/** Throws Problem 429 if too many others wait. */
export const hashPassword = (password: string, whom: string): Promise<string> =>
  inTurn(whom, () => hash(password, COST));

/** A hash of the same cost, with a salt and a digest of zeros. Nobody knows a password with this digest. */
const NOBODY = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Whether the password is the one; without a hash always false, after the same time. Throws like hashPassword. */
export async function verifyPassword(
  passwordHash: string | null | undefined,
  password: string,
  whom: string,
): Promise<boolean> {
  const compared = passwordHash ?? NOBODY;
  const matches = await inTurn(whom, () => verify(compared, password));
  return matches && passwordHash != null;
}

async function inTurn<T>(whom: string, work: () => Promise<T>): Promise<T> {
  if (running < AT_ONCE) running += 1;
  else await wait(whom);
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next.start();
    else running -= 1;
  }
}

/** If too many wait, the caller with the most waiting requests loses its latest one. This may be the newcomer. */
function wait(whom: string): Promise<void> {
  return new Promise((start, refuse) => {
    waiting.push({ whom, start, refuse });
    if (waiting.length <= MOST_WAITING) return;
    const waitingOf = (one: string) => waiting.filter((other) => other.whom === one).length;
    const most = Math.max(...waiting.map((one) => waitingOf(one.whom)));
    const last = waiting.findLastIndex((one) => waitingOf(one.whom) === most);
    const [refused] = waiting.splice(last, 1);
    refused?.refuse(new Problem(violation('too_many_attempts'), { 'Retry-After': '1' }));
  });
}
