// archiver writes the directory at a zip's end in pieces of two and four bytes, all at once: 5 kB of memory for
// each entry, 350 MB for 70,000 of them. Here they are gathered. This reaches into its engine; where a later
// version has it no more, the archive comes out the same and takes that memory.
import type { Transform } from 'node:stream';
import type { ZipArchive } from 'archiver';

interface Engine extends Pick<Transform, 'end'> {
  /** Bytes written so far; the directory records its own place by it. */
  offset: number;
  write(piece: Buffer | string): boolean;
}

const GATHERED_BYTES = 2 ** 16;

/** To be called when all entries are in. */
export function gatherDirectory(archive: ZipArchive): void {
  const engine = (archive as unknown as { _module?: { engine?: Engine } })._module?.engine;
  if (typeof engine?.offset !== 'number') return;
  const write = engine.write.bind(engine);
  const end = engine.end.bind(engine);
  let gathered = Buffer.allocUnsafe(GATHERED_BYTES);
  let bytes = 0;
  const pass = () => {
    // Counted when it was gathered; passing it on counts it again.
    engine.offset -= bytes;
    write(gathered.subarray(0, bytes));
    gathered = Buffer.allocUnsafe(GATHERED_BYTES);
    bytes = 0;
  };
  engine.write = (piece) => {
    const chunk = Buffer.from(piece as string);
    if (bytes + chunk.length > GATHERED_BYTES) pass();
    bytes += chunk.copy(gathered, bytes);
    engine.offset += chunk.length;
    return true;
  };
  engine.end = () => {
    pass();
    return end();
  };
}
