// A disk without space, as an archive meets it.
import { writeFile } from 'node:fs/promises';

/** Writes the bytes of an archive to a place where every write fails with ENOSPC. */
export const intoFullDisk = (chunks: AsyncIterable<Buffer>) => writeFile('/dev/full', chunks);
