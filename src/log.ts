// The log: JSON lines by pino on standard output. Lines are written together, a few times a second, because one write
// for each request would cost as much as routing the request.
import pino, { type Logger } from 'pino';
import type { Config } from './config.ts';
import { isoNow } from './trade/timestamp.ts';

const TOGETHER = 8_192;
const LONGEST_MS = 100;

/** Leaves out the statement of an error of the database, which has values: hashes of tokens and passwords. */
function withoutStatement(error: Error): object {
  const { sql, nativeError, ...shown } = pino.stdSerializers.err(error);
  return shown;
}

/** `destination`: takes the lines in place of standard output. */
export const createLog = ({ logLevel }: Config, destination?: pino.DestinationStream): Logger =>
  pino(
    {
      level: logLevel,
      base: undefined,
      timestamp: () => `,"time":"${isoNow()}"`,
      serializers: { err: withoutStatement },
    },
    destination ?? new Lines(),
  );

/** Joins lines before the destination gets them, because the destination measures its whole buffer at each line. */
class Lines implements pino.DestinationStream {
  private readonly out = pino.destination({ fd: 1, sync: false });
  private buffer = '';

  constructor() {
    setInterval(() => this.flush(), LONGEST_MS).unref();
    process.on('exit', () => {
      this.flush();
      this.out.flushSync();
    });
  }

  write(line: string): void {
    this.buffer += line;
    if (this.buffer.length >= TOGETHER) this.flush();
  }

  private flush(): void {
    if (this.buffer === '') return;
    this.out.write(this.buffer);
    this.buffer = '';
  }
}
