// The log: JSON lines by pino on standard output. Lines are written together, ten times a second at least: a write for
// each request would cost as much as its routing.
import pino, { type Logger } from 'pino';
import type { Config } from './config.ts';
import { isoNow } from './trade/timestamp.ts';

const WAITING_CHARACTERS = 8_192;
const FLUSH_MS = 100;

/** `destination` takes the lines instead of standard output. */
export const createLog = ({ logLevel }: Config, destination?: pino.DestinationStream): Logger =>
  pino(
    {
      level: logLevel,
      base: undefined,
      timestamp: () => `,"time":"${isoNow()}"`,
      serializers: { err: withoutValues },
    },
    destination ?? new Lines(),
  );

/** An error of the database has the statement twice: with marks in its message, and with its values in `sql`. */
function withoutValues(error: Error): object {
  const { sql, ...shown } = pino.stdSerializers.err(error);
  return shown;
}

/** Joins lines before it writes them: with each line it gets, the destination measures all lines that wait in it. */
class Lines implements pino.DestinationStream {
  private readonly out = pino.destination({ fd: 1, sync: false });
  private waiting = '';

  constructor() {
    setInterval(() => this.flush(), FLUSH_MS).unref();
    process.on('exit', () => {
      this.flush();
      this.out.flushSync();
    });
  }

  write(line: string): void {
    this.waiting += line;
    if (this.waiting.length >= WAITING_CHARACTERS) this.flush();
  }

  private flush(): void {
    if (this.waiting === '') return;
    this.out.write(this.waiting);
    this.waiting = '';
  }
}
