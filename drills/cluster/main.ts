// `make cluster`, or `node dist/drills/cluster/main.js pairs --pairs=20`. Each scene starts a cluster (Galera, or a
// MySQL group) and processes of the service, prints what it saw, and ends all that it started. The exit code is 1 if
// anything is wrong.
import { chmodSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepareCertificates } from '../../test/support/process/certificates.ts';
import { Report, seconds } from '../chaos/report.ts';
import { away, groupAway } from './away.ts';
import { booking } from './booking.ts';
import { killAll } from './child.ts';
import { openGalera, openGroup } from './cluster.ts';
import { exports } from './exports.ts';
import { groupRolling } from './group-rolling.ts';
import { kill } from './kill.ts';
import { mirror } from './mirror.ts';
import { objectStore } from './object-store.ts';
import { pairs } from './pairs.ts';
import { reads } from './reads.ts';
import { rolling } from './rolling.ts';
import { scale } from './scale.ts';
import { search } from './search.ts';
import { start } from './start.ts';
import { openGaleraServers, openGroupServers, openOneServer, upgrade } from './upgrade.ts';

/** `--pairs=20 --seconds=30`: a trial run. `--rule=owner`: only pairs for the rules with this word in their names. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: 'string', default: '150' },
    rule: { type: 'string', default: '' },
    seconds: { type: 'string', default: '120' },
  },
});

type Script = (report: Report, folder: string) => Promise<void>;

const pairOptions = { count: Number(values.pairs), rule: values.rule };
const bookingOptions = { milliseconds: 60_000 };
const scaleOptions = { garages: [10, 100], orders: 1_000, idleMs: 30_000, requests: 2_000, samples: 100 };
const searchOptions = { times: 100, rows: 2_000 };
const killOptions = { seconds: Number(values.seconds), clients: 8 };

/** The release that the upgrades begin with. */
const UPGRADED = '1.0.0';

/** Each is played alone, in this order. */
const SCENES: Record<string, Script> = {
  start: (report, folder) => start(report, folder, { rounds: 3 }),
  reads: (report, folder) => reads(report, folder, { times: 300, logins: 12, rounds: 4 }),
  pairs: (report, folder) => pairs(report, folder, { ...pairOptions, openCluster: openGalera }),
  booking: (report, folder) => booking(report, folder, { ...bookingOptions, openCluster: openGalera }),
  search: (report, folder) => search(report, folder, { ...searchOptions, openCluster: openGalera }),
  exports: (report, folder) => exports(report, folder, { times: 8 }),
  mirror: (report, folder) => mirror(report, folder, { seconds: Number(values.seconds) }),
  kill: (report, folder) => kill(report, folder, { ...killOptions, openCluster: openGalera }),
  away: (report, folder) => away(report, folder),
  rolling: (report, folder) => rolling(report, folder, { restarts: 20, rate: 300, drainSeconds: 2 }),
  upgrade: (report, folder) => upgrade(report, folder, { from: UPGRADED, open: openOneServer }),
  'cluster-upgrade': (report, folder) => upgrade(report, folder, { from: UPGRADED, open: openGaleraServers }),
  store: (report, folder) => objectStore(report, folder),
  scale: (report, folder) => scale(report, folder, scaleOptions),
  'group-pairs': (report, folder) => pairs(report, folder, { ...pairOptions, openCluster: openGroup }),
  'group-booking': (report, folder) => booking(report, folder, { ...bookingOptions, openCluster: openGroup }),
  'group-search': (report, folder) => search(report, folder, { ...searchOptions, openCluster: openGroup }),
  'group-kill': (report, folder) => kill(report, folder, { ...killOptions, openCluster: openGroup }),
  'group-away': (report, folder) => groupAway(report, folder),
  'group-rolling': (report, folder) => groupRolling(report, folder),
  'group-upgrade': (report, folder) => upgrade(report, folder, { from: UPGRADED, open: openGroupServers }),
};
/** The scenes with MySQL. */
const GROUP = Object.keys(SCENES).filter((name) => name.startsWith('group-'));

const wanted =
  positionals.length > 0
    ? positionals.flatMap((name) => (name === 'group' ? GROUP : [name]))
    : Object.keys(SCENES);
const unknown = wanted.filter((name) => !(name in SCENES));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no scene ${unknown.join()}; there are ${Object.keys(SCENES).join(', ')}, and group for all of MySQL\n`,
  );
  process.exit(2);
}

let folder = '';
// The end of this process, however it comes, also ends the nodes and removes their data.
process.on('exit', () => {
  killAll();
  if (folder !== '') rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => process.exit(128 + constants.signals[signal]));

const report = new Report();
for (const name of wanted) {
  folder = await mkdtemp(join(tmpdir(), 'forecourt-cluster-'));
  // The nodes run as another user where root starts them.
  chmodSync(folder, 0o711);
  Object.assign(process.env, await prepareCertificates(join(folder, 'certificates')));
  report.say(`== ${name}`);
  const began = performance.now();
  try {
    await SCENES[name]?.(report, folder);
  } catch (error) {
    report.demand(false, `${name} ended early: ${(error as Error).stack}`);
  } finally {
    killAll();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
  report.say(`   took ${seconds(performance.now() - began)}`);
}
report.say(report.wrong.length === 0 ? '== all as it should be' : `== ${report.wrong.length} WRONG`);
process.exit(report.wrong.length === 0 ? 0 : 1);
