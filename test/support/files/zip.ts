// Reads zips with unzip, so that another program than ours judges them.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** The bytes of a file in a zip, at most. */
const LARGEST = 2 ** 28;

/** The names of the files, in their order. */
export const namesIn = async (zip: string): Promise<string[]> =>
  (await run('unzip', ['-Z1', zip])).stdout.trim().split('\n');

export async function bytesOf(zip: string, name: string): Promise<Buffer> {
  const { stdout } = await run('unzip', ['-p', zip, name], { encoding: 'buffer', maxBuffer: LARGEST });
  return stdout;
}

export const textOf = async (zip: string, name: string): Promise<string> =>
  (await bytesOf(zip, name)).toString();
