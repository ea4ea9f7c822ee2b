// Plays a script of `make chaos` in its shortest form.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Report } from '../../../drills/chaos/report.ts';
import { expect } from '../client/expect.ts';

export const CHAOS_MS = 600_000;

/** The lines of its report. Fails if the report names anything wrong. */
export async function played(script: (report: Report, folder: string) => Promise<void>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'forecourt-chaos-'));
  const lines: string[] = [];
  const report = new Report((line) => lines.push(line));
  try {
    await script(report, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  expect(report.wrong, lines.join('\n')).to.deep.equal([]);
  return lines;
}
