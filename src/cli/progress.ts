// Progress of long commands: a bar on a terminal, plain lines elsewhere, nothing where a script reads.
import { SingleBar } from 'cli-progress';

export interface Progress {
  update(done: number, of: number): void;
  stop(): void;
}

export function progressBar(what: string, silent: boolean): Progress {
  if (silent) return { update: () => {}, stop: () => {} };
  const bar = new SingleBar({
    format: `${what} [{bar}] {percentage}% {value}/{total}`,
    stream: process.stderr,
    noTTYOutput: true,
    notTTYSchedule: 2_000,
    clearOnComplete: true,
  });
  let started = false;
  return {
    update: (done, of) => {
      if (started) bar.update(done);
      else bar.start(of, done);
      started = true;
    },
    stop: () => bar.stop(),
  };
}
