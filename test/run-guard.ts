// Ends a test run when its runner has ended, even by kill -9: standard input is a pipe that only the runner holds.
import { endRun } from './support/process/run-folder.ts';

const [, , folder = ''] = process.argv;
process.stdin.resume().on('close', () => endRun(folder));
