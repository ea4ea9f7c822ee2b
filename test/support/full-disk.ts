// A disk without space, as an archive meets it.
import { writeFile } from 'node:fs/promises';

/** Keeps the bytes of an archive where every write fails with ENOSPC. */
export const intoFullDisk = (chunks: AsyncIterable<Buffer>) => writeFile('/dev/full', chunks);
