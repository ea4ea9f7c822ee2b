// Compresses an answer as a small application would: gzip at zlib's usual level, if the caller takes it and it is long.
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const LEAST_CHARACTERS = 2_048;
const pack = promisify(gzip);

/** Undefined: the answer goes out as it is. */
export const compressed = async (body: string, accepted = ''): Promise<Buffer | undefined> =>
  body.length > LEAST_CHARACTERS && /\bgzip\b/.test(accepted) ? pack(body) : undefined;
