// Mocha's usual output. At the end it notes how many seconds each file took, with its hooks, in the folder of the run.
import { tmpdir } from 'node:os';
import Mocha from 'mocha';
import { noteSeconds } from './seconds.ts';

export default class SecondsReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const taken: Record<string, number> = {};
    let began = 0;
    runner.on('suite', ({ parent }) => {
      if (parent?.root) began = performance.now();
    });
    runner.on('suite end', ({ parent, file }) => {
      if (parent?.root && file) taken[file] = (taken[file] ?? 0) + (performance.now() - began) / 1_000;
    });
    runner.on('end', () => noteSeconds(tmpdir(), taken));
  }
}
