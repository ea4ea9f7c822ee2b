// The log: JSON lines by pino on standard output. Lines are written together, some times a second: one write a
// request would cost as much as its routing.
import pino, { type Logger } from 'pino';
import type { Config } from './config.ts';
import { isoNow } from './trade/timestamp.ts';

const TOGETHER = 8_192;
const LONGEST_MS = 100;

/** `destination`: takes the lines in place of standard output. */
export const createLog = ({ logLevel }: Config, destination?: pino.DestinationStream): Logger =>
  pino(
    { level: logLevel, base: undefined, timestamp: () => `,"time":"${isoNow()}"` },
    destination ?? new Lines(),
  );

/** Joins lines before they are handed on: the destination measures all that waits in it with each one it gets. */
class Lines implements pino.DestinationStream {
  private readonly out = pino.destination({ fd: 1, sync: false });
  private waiting = '';

  constructor() {
    setInterval(() => this.handOn(), LONGEST_MS).unref();
    process.on('exit', () => {
      this.handOn();
      this.out.flushSync();
    });
  }

  write(line: string): void {
    this.waiting += line;
    if (this.waiting.length >= TOGETHER) this.handOn();
  }

  private handOn(): void {
    if (this.waiting === '') return;
    this.out.write(this.waiting);
    this.waiting = '';
  }
}
