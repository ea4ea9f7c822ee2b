// A disk without space, as an archive meets it, and a small disk that fills up.
import { execFileSync } from 'node:child_process';
import { mkdir, open, truncate, writeFile } from 'node:fs/promises';

/** Writes the bytes of an archive to a place where every write fails with ENOSPC. */
export const intoFullDisk = (chunks: AsyncIterable<Buffer>) => writeFile('/dev/full', chunks);

/** Makes the folder a disk of that size. Returns how it ends; undefined without the rights of root. */
export async function mountSmallDisk(folder: string, megabytes: number): Promise<(() => void) | undefined> {
  await mkdir(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  return () => {
    execFileSync('umount', [folder]);
  };
}

/** Lets a file grow until nothing more fits, and then leaves so many bytes. */
export async function fillDisk(path: string, left = 0): Promise<void> {
  const file = await open(path, 'a');
  const piece = Buffer.alloc(2 ** 16);
  try {
    for (;;) await file.write(piece);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
  const { size } = await file.stat();
  await file.close();
  await truncate(path, size - left);
}
