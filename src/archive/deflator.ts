// Deflates the pieces of an archive on a thread that does nothing else. Node's own threads do it too, but each
// piece then waits for this one to take the last and to hand on the next: a third more time on two processors.
import { Worker } from 'node:worker_threads';
import { deflatePiece } from './deflate-piece.ts';

/** Smaller ones are deflated in less time than a message takes. */
const LEAST_SENT_BYTES = 2 ** 16;
// Pieces lie outside its heap.
const HEAP = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 32 };

interface Waiting {
  resolve(deflated: Buffer): void;
  reject(reason: unknown): void;
}

export class Deflator {
  private readonly level: number;
  private thread: Worker | undefined;
  private readonly waiting: Waiting[] = [];
  private failure: unknown;

  constructor(level: number) {
    this.level = level;
  }

  /** Pieces come back in their order. A large one is copied to the thread, which takes no longer than to hand it over. */
  async deflate(piece: Buffer): Promise<Buffer> {
    if (piece.length < LEAST_SENT_BYTES) return deflatePiece(piece, this.level);
    if (this.failure) throw this.failure;
    this.thread ??= this.start();
    const deflated = new Promise<Buffer>((resolve, reject) => this.waiting.push({ resolve, reject }));
    this.thread.postMessage(piece);
    return deflated;
  }

  /** Ends the thread. What it has not answered is never answered. */
  async close(): Promise<void> {
    await this.thread?.terminate();
  }

  private start(): Worker {
    const thread = new Worker(new URL('./deflate-thread.js', import.meta.url), {
      workerData: this.level,
      resourceLimits: HEAP,
    });
    thread.on('message', ({ buffer, byteOffset, byteLength }: Uint8Array) =>
      this.waiting.shift()?.resolve(Buffer.from(buffer, byteOffset, byteLength)),
    );
    thread.on('error', (error) => {
      this.failure = error;
      for (const { reject } of this.waiting.splice(0)) reject(error);
    });
    return thread;
  }
}
