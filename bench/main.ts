// make bench: measures the service against baselines that run beside it, on one database, and writes
// RESULTS.md. A target that is missed is shown; only what breaks ends with another code than 0.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Compared, compare } from './compare.ts';
import { openGround } from './ground.ts';
import { type Options, readOptions, USAGE } from './options.ts';
import { makePoints } from './points.ts';
import { profilePoints } from './profile.ts';
import { comparedText, verdicts, verdictsText } from './report.ts';
import { requestsFor } from './requests.ts';
import { type Place, startServers, stopServers } from './servers.ts';

async function bench(options: Options): Promise<void> {
  const ground = await openGround(options);
  try {
    const place: Place = {
      storage: ground.storage,
      connection: ground.base.connection,
      logs: join(ground.folder, 'logs'),
    };
    await mkdir(place.logs, { recursive: true });
    const wanted = ({ name }: { name: string }) => options.only.length === 0 || options.only.includes(name);
    const requests = await requestsFor(ground.base.database, ground.garage.owner);
    if (options.profile !== undefined) {
      await profilePoints({ ground, place, requests, options, folder: options.profile, wanted });
      return;
    }
    const servers = await startServers(place);
    const results: Compared[] = [];
    try {
      const points = await makePoints(requests, servers.service, await ground.token());
      for (const point of points.filter(wanted)) {
        const bench = {
          servers,
          options,
          databasePid: () => ground.databasePid,
          token: () => ground.token(),
        };
        const compared = await compare(bench, point);
        results.push(compared);
        print(comparedText(compared));
      }
    } finally {
      await stopServers(servers);
    }
    print(verdictsText(results.flatMap(verdicts)));
  } finally {
    await ground.close();
  }
}

const print = (text: string) => process.stdout.write(`${text}\n\n`);

if (process.argv.includes('--help')) process.stdout.write(USAGE);
else await bench(readOptions(process.argv.slice(2), process.env));
