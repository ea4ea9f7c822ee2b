// The log by pino on standard output: coloured lines for people on a terminal, JSON elsewhere. JSON lines are written
// together, ten times a second at least, because a write for each request would cost as much as its routing. Processes
// that share a port write to the same output, and no write cuts a line of another process in two.
import pino, { type Logger } from 'pino';
import { isoNow } from '../core/trade/time/timestamp.ts';
import type { Config } from './config.ts';

/** The kernel keeps the bytes of one write to a pipe together up to this length (PIPE_BUF of Linux). */
const LONGEST_WRITE = 4_096;
const FLUSH_MS = 100;
/** Bytes that wait for a slow reader. Further lines are lost. */
const MOST_WAITING = 8 * 1024 * 1024;

/**
 * `destination` takes the lines instead of standard output. `worker`: the number that each line shows, if several
 * processes write the log.
 */
export const createLog = (
  { logLevel }: Config,
  destination?: pino.DestinationStream,
  worker?: number,
): Logger =>
  pino(
    {
      level: logLevel,
      base: worker === undefined ? undefined : { worker },
      timestamp: () => `,"time":"${isoNow()}"`,
      serializers: { err: withoutValues },
    },
    destination ?? new Lines(),
  );

/**
 * Lines for people if standard output is a terminal, otherwise undefined. The package is loaded only for a terminal,
 * because it takes memory.
 */
export async function terminalLines(): Promise<pino.DestinationStream | undefined> {
  if (!process.stdout.isTTY) return undefined;
  const { default: pretty } = await import('pino-pretty');
  return pretty({ destination: 1, sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss' });
}

/**
 * An error of the database has the statement twice: with marks in its message, and with its values in `sql`. Some of
 * its messages quote a value, which may be personal.
 */
function withoutValues(error: Error): object {
  const { sql, ...shown } = pino.stdSerializers.err(error);
  for (const name of ['message', 'stack', 'sqlMessage'])
    if (typeof shown[name] === 'string') shown[name] = shown[name].replace(QUOTED_VALUE, "'…'");
  return shown;
}

/**
 * In the messages of both servers, such as `Duplicate entry 'Jansen' for key 'k'` and `Incorrect integer value:
 * 'Jansen'`.
 */
const QUOTED_VALUE = /(?<=Duplicate entry )'[\s\S]*'(?= for key)|(?<=(?:value|string):? |near )'[\s\S]*'/g;

type Destination = ReturnType<typeof pino.destination>;

/** Joins lines before it writes them: with each line it gets, the destination measures all lines that wait in it. */
class Lines implements pino.DestinationStream {
  private out = this.open();
  private waiting = '';
  /** Whether the last write failed. */
  private fails = false;

  constructor() {
    setInterval(() => this.flush(), FLUSH_MS).unref();
    // Before the handler of pino, which calls flushSync too unless its destination is destroyed.
    process.prependListener('exit', () => {
      // On a full disk flushSync would try for ever.
      if (this.fails) {
        this.out.destroy();
        return;
      }
      this.flush();
      this.out.flushSync();
    });
  }

  write(line: string): void {
    if (this.waiting.length + line.length > LONGEST_WRITE) this.flush();
    this.waiting += line;
  }

  private open(): Destination {
    const out = pino.destination({ fd: 1, sync: false, maxWrite: LONGEST_WRITE, maxLength: MOST_WAITING });
    out.on('write', () => {
      this.fails = false;
    });
    out.on('error', (error: NodeJS.ErrnoException) => {
      // Without a reader pino writes no more. It passes any other error on twice.
      if (error.code === 'EPIPE' || out !== this.out) return;
      // The disk is full, for example. These lines are lost, and the next ones are tried.
      this.fails = true;
      out.destroy();
      this.out = this.open();
    });
    return out;
  }

  private flush(): void {
    if (this.waiting === '') return;
    this.out.write(this.waiting);
    this.waiting = '';
  }
}
