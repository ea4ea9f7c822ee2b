// Shows the progress of long commands on standard error: a bar on a terminal, a line every two seconds elsewhere, and
// nothing with --json.

const LINE_MS = 2_000;

/** `what`: the stage, if the work has several. */
export type Report = (done: number, of: number, what?: string) => void;

/** Runs work that reports its progress. `what` names the work. */
export type ShowProgress = <T>(what: string, work: (report: Report) => Promise<T>) => Promise<T>;

export const noProgress: ShowProgress = (_what, work) => work(() => {});

export const progressOnStderr: ShowProgress = (what, work) =>
  process.stderr.isTTY ? withBar(what, work) : work(lines(what));

const withBar: ShowProgress = async (what, work) => {
  const { SingleBar } = await import('cli-progress');
  const format = '{what} [{bar}] {percentage}% {value}/{total}';
  const bar = new SingleBar({ format, stream: process.stderr, clearOnComplete: true });
  let started = false;
  const report: Report = (done, of, stage = what) => {
    if (!started) bar.start(of, done, { what: stage });
    started = true;
    bar.setTotal(of);
    bar.update(done, { what: stage });
  };
  return work(report).finally(() => bar.stop());
};

function lines(what: string): Report {
  let printedAt = performance.now();
  return (done, of, stage = what) => {
    if (performance.now() - printedAt < LINE_MS) return;
    printedAt = performance.now();
    process.stderr.write(`${stage}: ${Math.floor((100 * done) / of)}% (${done} of ${of})\n`);
  };
}
