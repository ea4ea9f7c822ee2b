// Deflates the content of an entry by igzip (Debian's package isal), a process of its own: at level 1 in a fifth of
// zlib's time, and as small. What it writes is a gzip file, of which the deflate stream and the checksum are
// taken. Where it is not installed, zlib does all.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Deflation, Takers } from './deflate.ts';

/** It knows no higher level, but 0. */
export const HIGHEST_LEVEL = 3;
const PLACES = ['/usr/bin/igzip', '/usr/local/bin/igzip'];
/** Before the deflate stream: nothing but that it is one. */
const HEADER = { bytes: 10, begins: '1f8b0800' };
/** After it: CRC-32 and size of the content, modulo 2³². */
const TRAILER_BYTES = 8;

export const findIgzip = (): string | undefined => PLACES.find((place) => existsSync(place));

export class IgzipDeflation implements Deflation {
  crc = 0;
  private readonly child;
  private readonly ended: Promise<void>;
  private readonly takers: Takers;
  private size = 0;
  /** The last piece that was given to it, until it has taken all of it. */
  private last: Promise<void> = Promise.resolve();
  private header = Buffer.alloc(0);
  /** The end of what has come, which may be the trailer. */
  private held = Buffer.alloc(0);

  /** `program` takes what gzip takes. */
  constructor(program: string, level: number, takers: Takers) {
    this.takers = takers;
    const child = spawn(program, ['-c', `-${level}`], { stdio: ['pipe', 'pipe', 'ignore'] });
    this.child = child;
    child.stdout.on('data', (bytes: Buffer) => {
      if (!this.take(bytes)) child.stdout.pause();
    });
    this.ended = new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) =>
        code === 0 ? resolve() : reject(new Error(`${program} ended by ${signal ?? code}`)),
      );
    });
    // Both are told to whoever waits for them.
    this.ended.catch(() => {});
    child.stdin.on('error', () => {});
  }

  async put(piece: Buffer): Promise<void> {
    this.size += piece.length;
    const before = this.last;
    this.last = new Promise((resolve, reject) => {
      this.child.stdin.write(piece, (error) => {
        this.takers.giveBack(piece);
        if (error) reject(error);
        else resolve();
      });
    });
    this.last.catch(() => {});
    // While it takes one the next one is made.
    await before.catch(() => this.ended);
  }

  async end(): Promise<void> {
    this.child.stdin.end();
    await this.ended;
    const { header, held, size } = this;
    if (held.length < TRAILER_BYTES || held.readUInt32LE(4) !== size % 2 ** 32)
      throw new Error('igzip has not deflated all');
    if (header.toString('hex', 0, 4) !== HEADER.begins) throw new Error('igzip wrote an unknown header');
    this.crc = held.readUInt32LE(0);
  }

  goOn(): void {
    this.child.stdout.resume();
  }

  /** What is still under way is lost. */
  close(): void {
    this.child.kill();
  }

  private take(bytes: Buffer): boolean {
    const missing = HEADER.bytes - this.header.length;
    if (missing > 0) this.header = Buffer.concat([this.header, bytes.subarray(0, missing)]);
    const deflated = Buffer.concat([this.held, bytes.subarray(missing)]);
    this.held = deflated.subarray(-TRAILER_BYTES);
    return deflated.length <= TRAILER_BYTES || this.takers.handOn(deflated.subarray(0, -TRAILER_BYTES));
  }
}
