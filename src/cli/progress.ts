// Shows the progress of long commands on standard error: a bar on a terminal, a line every two seconds elsewhere, and
// nothing with --json.
import { SingleBar } from 'cli-progress';

const LINE_MS = 2_000;

export interface Progress {
  update(done: number, of: number): void;
  stop(): void;
}

export function progressBar(what: string, silent: boolean): Progress {
  if (silent) return { update: () => {}, stop: () => {} };
  return process.stderr.isTTY ? bar(what) : lines(what);
}

function bar(what: string): Progress {
  const format = `${what} [{bar}] {percentage}% {value}/{total}`;
  const shown = new SingleBar({ format, stream: process.stderr, clearOnComplete: true });
  let started = false;
  return {
    update: (done, of) => {
      if (started) shown.update(done);
      else shown.start(of, done);
      started = true;
    },
    stop: () => shown.stop(),
  };
}

function lines(what: string): Progress {
  let printedAt = performance.now();
  return {
    update: (done, of) => {
      if (performance.now() - printedAt < LINE_MS) return;
      printedAt = performance.now();
      process.stderr.write(`${what}: ${Math.floor((100 * done) / of)}% (${done} of ${of})\n`);
    },
    stop: () => {},
  };
}
