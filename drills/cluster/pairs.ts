// Two requests at two processes at the same instant, for each rule that both could break together. If all nodes take
// writes, the processes use different nodes.
import type { Report } from '../chaos/report.ts';
import type { OpenCluster } from './cluster.ts';
import { playPairs } from './pair.ts';
import { adminRule } from './pair-admins.ts';
import { CLOSES, playCloses } from './pair-close.ts';
import { SAME_DOCUMENT } from './pair-documents.ts';
import { jobRules, launchThreads, OPEN_JOBS, runJobs } from './pair-jobs.ts';
import { PLANNING_RULES } from './pair-planning.ts';
import { RECORD_RULES } from './pair-records.ts';
import { SWAP_RULES } from './pair-swap.ts';
import { TRADE_RULES } from './pair-trade.ts';
import { WORKSHOP_RULES } from './pair-workshop.ts';
import { Scene } from './scene.ts';

interface PairOptions {
  readonly count: number;
  /** Only rules with this in their names. */
  readonly rule: string;
  readonly openCluster: OpenCluster;
}

export async function pairs(
  report: Report,
  folder: string,
  { count, rule, openCluster }: PairOptions,
): Promise<void> {
  // Without threads, jobs stay open.
  const scene = await Scene.open(folder, openCluster, { JOB_THREADS: '0' });
  try {
    await scene.start();
    const rules = [
      ...TRADE_RULES,
      ...PLANNING_RULES,
      ...SWAP_RULES,
      ...WORKSHOP_RULES,
      ...RECORD_RULES,
      await adminRule(scene),
      ...(await jobRules(scene)),
    ];
    for (const each of rules) if (each.name.includes(rule)) await playPairs(report, scene, each, count);
    if (OPEN_JOBS.includes(rule)) await runJobs(report, scene);
    const closes = CLOSES.filter(({ name }) => name.includes(rule));
    if (SAME_DOCUMENT.name.includes(rule) || closes.length > 0) {
      await launchThreads(scene);
      for (const process of scene.processes) await process.listening();
    }
    if (SAME_DOCUMENT.name.includes(rule)) await playPairs(report, scene, SAME_DOCUMENT, count);
    for (const close of closes) await playCloses(report, scene, close, count);
    report.say(`  all answers: ${scene.tally.text()}`);
    for (const line of scene.errors()) report.say(`  logged by ${line}`);
  } finally {
    await scene.close();
  }
}
