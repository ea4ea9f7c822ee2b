// The drill of drills/chaos/scale.ts on three Galera nodes, with one process of the service. The figures of the
// database are those of the node that the process uses.
import { databaseAddress } from '../../src/platform/config-value.ts';
import { connectDatabase } from '../../src/platform/database/connect.ts';
import { NO_FILES } from '../../test/support/database/no-files.ts';
import type { Report } from '../chaos/report.ts';
import { type ScaleOptions, type ScaleServer, scale as scaleOn } from '../chaos/scale.ts';
import { openGalera } from './cluster.ts';

const NAME = 'forecourt';

export const scale = (report: Report, folder: string, options: ScaleOptions): Promise<void> =>
  scaleOn(report, folder, options, openNodes);

async function openNodes(folder: string): Promise<ScaleServer> {
  const cluster = await openGalera(folder);
  await cluster.createDatabase(NAME);
  const url = cluster.url(NAME, 0);
  const database = connectDatabase(databaseAddress()(url), NO_FILES);
  return {
    url,
    database,
    pid: cluster.first.pid,
    close: async () => {
      await database.close();
      await cluster.close();
    },
  };
}
