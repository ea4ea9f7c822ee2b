// Writes the file of a command, with the size and the digest that tell whether it arrived whole.
import { intoFile } from '../platform/storage/whole-file.ts';
import { Sum } from '../platform/zip/write.ts';

/** Writes a file whole or not at all. Throws if the command is interrupted. */
export async function writeSummed(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<{ bytes: number; sha256: string }> {
  const sum = new Sum();
  const summed = async function* () {
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      yield sum.add(chunk);
    }
  };
  await intoFile(path)(summed());
  const { size, sha256 } = sum.done();
  return { bytes: size, sha256 };
}
