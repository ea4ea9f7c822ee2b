// The memory that bodies take. koa-bodyparser keeps each piece of a body until the body ends, and a piece of one byte
// takes hundreds of bytes, so it gets small pieces joined. Few long bodies are in memory at a time: the rest of such a
// body is read once there is room for it, and the body keeps this room until its request is answered.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Context, Middleware } from 'koa';
import { problem } from '../../core/errors.ts';
import { BODY_LIMIT } from '../../core/model/bodies/body-limit.ts';
import { Shares } from '../../platform/database/shares.ts';
import { inTime } from './body-pace.ts';

/** Bytes to which small pieces are joined. */
const BLOCK = 16 * 1024;
/** The callers without a token together. */
const NOBODY = 0;
/** The server closes a connection after two minutes without a byte. */
const LONGEST_WAIT_MS = 60_000;

/** A body that is longer than `above` bytes needs a place in the room. */
interface Step {
  readonly above: number;
  readonly room: Shares;
}

const FREE = 64 * 1024;
/** For bodies of usual requests, up to BODY_LIMIT each. */
const middle = new Shares({ ofOwner: 24, ofAll: 64, longestMs: LONGEST_WAIT_MS });
/** For files. */
const long = new Shares({ ofOwner: 3, ofAll: 8, longestMs: LONGEST_WAIT_MS });
const STEPS: readonly Step[] = [
  { above: FREE, room: middle },
  { above: BODY_LIMIT, room: long },
];
/** Without a token callers only log in and set passwords: those bodies are short. */
const STEPS_OF_NOBODY: readonly Step[] = [{ above: FREE, room: long }];

/**
 * Lets koa-bodyparser read the body, and then runs `use`, which learns whether the body came later than the head of the
 * request. The body has its room until `use` is done. Throws Problem: 503 if there is no room in time, and 408 as
 * `inTime` does.
 */
export async function withBody<T>(
  ctx: Context,
  parse: Middleware,
  use: (isLate: boolean) => Promise<T>,
): Promise<T> {
  const { req } = ctx;
  // Node runs this as soon as it has read the head. A body in the same packet follows within the same turn of its loop.
  if (!req.complete) await endOfTurn();
  // All bytes are in memory already, or no more will come.
  if (req.complete || !req.readable) {
    await parse(ctx, async () => {});
    return use(false);
  }
  const body = new ReceivedBody(req, ctx.state.owner);
  const view: Context = Object.create(ctx, { req: { value: body } });
  try {
    await inTime(
      req,
      parse(view, async () => {}),
      () => !body.hasWaited(),
    );
    return await use(true);
  } finally {
    body.release();
  }
}

/** The bytes of a request's body as they arrive. */
export class ReceivedBody extends Readable {
  /** The parser reads the length. */
  readonly headers: IncomingHttpHeaders;
  private readonly request: IncomingMessage;
  private readonly owner: number;
  private readonly steps: readonly Step[];
  /** How many of the steps the body has taken. */
  private taken = 0;
  /** Where the body has a place. */
  private room?: Shares;
  private isOpen = false;
  private block?: Buffer;
  private used = 0;
  private received = 0;
  private isWaiting = false;
  private waited = false;
  /** Aborted when the body is released. Only a body that waits has one, because an abort makes a stack trace. */
  private over?: AbortController;

  constructor(request: IncomingMessage, owner = NOBODY) {
    super();
    this.request = request;
    this.headers = request.headers;
    this.owner = owner;
    this.steps = owner === NOBODY ? STEPS_OF_NOBODY : STEPS;
  }

  override _read(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    this.request.on('data', this.onPiece).on('end', this.onEnd).on('aborted', this.onAborted);
  }

  /** Whether the body has waited for room since this was asked last. */
  hasWaited(): boolean {
    const { waited } = this;
    this.waited = this.isWaiting;
    return waited;
  }

  /** Takes no more bytes, and gives the room back. */
  release(): void {
    const { request, isOpen } = this;
    request.off('data', this.onPiece).off('end', this.onEnd).off('aborted', this.onAborted);
    // As the parser leaves a refused body: problems.ts reads the rest and throws it away.
    if (isOpen && !request.readableEnded) request.pause();
    this.destroy();
    this.over?.abort();
    this.room?.release(this.owner);
    this.room = undefined;
  }

  private readonly onPiece = (piece: Buffer): void => {
    if (this.used + piece.length > BLOCK) this.passOn();
    if (piece.length > BLOCK) this.push(piece);
    else this.used += piece.copy(this.roomyBlock(), this.used);
    this.received += piece.length;
    const next = this.steps[this.taken];
    if (next && this.received > next.above && !this.isWaiting) this.awaitRoom(next.room);
  };

  private readonly onEnd = (): void => {
    this.passOn();
    this.push(null);
  };

  /** The parser listens for this event of a request. */
  private readonly onAborted = (): void => {
    this.emit('aborted');
  };

  private passOn(): void {
    if (this.used === 0) return;
    this.push(this.block?.subarray(0, this.used));
    this.block = undefined;
    this.used = 0;
  }

  private roomyBlock(): Buffer {
    this.block ??= Buffer.allocUnsafe(BLOCK);
    return this.block;
  }

  private awaitRoom(room: Shares): void {
    this.isWaiting = true;
    this.waited = true;
    this.request.pause();
    this.over = new AbortController();
    const { signal } = this.over;
    room.take(this.owner, signal).then(
      () => {
        // The request may have ended just before.
        if (signal.aborted) return room.release(this.owner);
        this.room?.release(this.owner);
        this.room = room;
        this.taken += 1;
        this.isWaiting = false;
        this.request.resume();
      },
      () => void this.destroy(problem('service_unavailable')),
    );
  }
}
