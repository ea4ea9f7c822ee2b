// Three processes start at once on an empty cluster: each makes sure that the tables are there. All must come up, and
// the demo garage is made once.
import { type Report, seconds } from '../chaos/report.ts';
import { openGalera } from './cluster.ts';
import { Scene } from './scene.ts';

export async function start(report: Report, folder: string, { rounds }: { rounds: number }): Promise<void> {
  const scene = await Scene.open(folder, openGalera);
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const name = `forecourt_${round}`;
      await scene.cluster.createDatabase(name);
      const began = performance.now();
      for (const [index, process] of scene.processes.entries())
        process.launch({ DATABASE_URL: scene.cluster.url(name, index) });
      const ends = await Promise.allSettled(scene.processes.map((process) => process.listening()));
      const failed = ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason.message)] : []));
      const took = seconds(performance.now() - began);
      report.say(
        `  ${round}. ${scene.processes.length - failed.length} of ${scene.processes.length} came up in ${took}`,
      );
      report.demand(failed.length === 0, `${failed.length} processes did not start: ${failed.join('; ')}`);
      const garages = await scene.cluster.first.query(`SELECT id FROM ${name}.owners`).catch(() => []);
      report.demand(garages.length === 1, `${garages.length} demo garages were made`);
      await Promise.all(scene.processes.map((process) => process.end('SIGTERM')));
    }
  } finally {
    await scene.close();
  }
}
