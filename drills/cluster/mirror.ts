// The mirror of the chaos script on Galera: two processes at two nodes write and give places, and are killed again and
// again. Locks do not cross the nodes.
import { connectDatabase } from '../../src/platform/database/connect.ts';
import { NO_FILES } from '../../test/support/database/no-files.ts';
import { type MirrorServers, mirror as play } from '../chaos/mirror.ts';
import type { Report } from '../chaos/report.ts';
import { openGalera } from './cluster.ts';

const NAME = 'forecourt';

export const mirror = (report: Report, folder: string, { seconds }: { seconds: number }): Promise<void> =>
  play(report, folder, { milliseconds: seconds * 1000, writers: 8, kills: 10, held: 0.05, openServers });

async function openServers(folder: string): Promise<MirrorServers> {
  const cluster = await openGalera(folder);
  await cluster.createDatabase(NAME);
  const holderUrl = cluster.urlOf(NAME, [cluster.first]);
  const { username, password, port } = new URL(holderUrl);
  const hosts = [{ host: '127.0.0.1', port: Number(port) }];
  const database = connectDatabase({ hosts, user: username, password, database: NAME }, NO_FILES);
  return {
    url: (process) => cluster.url(NAME, process),
    holderUrl,
    database,
    close: async () => {
      await database.close();
      await cluster.close();
    },
  };
}
