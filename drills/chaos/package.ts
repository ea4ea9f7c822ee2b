// The package on a machine from nothing: built twice with the same bytes, installed into a bare Debian, opened with the
// data of every kept release, upgraded twice under a running process, removed and purged.
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import manifest from '../../package.json' with { type: 'json' };
import { loadResources } from '../../src/core/model/records/registry.ts';
import { childEnvironment } from '../../src/platform/config.ts';
import { BareDebian, packNode, whyNoDebian, withVersion } from './bare-debian.ts';
import { InstalledService } from './installed-service.ts';
import type { Report } from './report.ts';

const run = promisify(execFile);
/** The smallest machine of docs/operations.md. */
const LEAST_MEMORY = 384;
const ENV_FILE = '/etc/forecourt/forecourt.env';
const UNITS = ['forecourt.service', 'forecourt@.service', 'forecourt-database.service'];

export async function packaging(report: Report, folder: string, suites: readonly string[]): Promise<void> {
  await loadResources();
  const deb = await buildTwice(report, folder);
  const reason = await whyNoDebian();
  if (reason !== undefined) return report.say(`  not installed: ${reason}`);
  for (const suite of suites) {
    const root = join(folder, suite);
    const debian = await BareDebian.make(suite, root).catch((error: Error) => error);
    if (debian instanceof Error) report.say(`  not installed on ${suite}: ${debian.message.split('\n')[0]}`);
    else {
      await install(report, debian, { suite, deb, folder });
      await debian.remove();
    }
  }
}

/** Packs the last commit twice, in folders of different names. Returns the path of the .deb. */
async function buildTwice(report: Report, folder: string): Promise<string> {
  const files: string[][] = [];
  for (const name of ['first', 'second']) {
    const out = join(folder, `package ${name}`);
    await run('sh', ['scripts/package.sh', out], { env: childEnvironment({ TMPDIR: folder }) });
    const { stdout } = await run('sh', ['-c', 'sha256sum -- *'], { cwd: out });
    files.push(stdout.trim().split('\n'));
  }
  const [first = [], second = []] = files;
  report.demand(first.join() === second.join(), `two builds differ: ${first.join()} and ${second.join()}`);
  report.demand(first.length === 2, `${first.length} files were made instead of a tarball and a .deb`);
  for (const line of first) report.say(`  the same bytes twice: ${line}`);
  const deb = first.map((line) => line.slice(66)).find((name) => name.endsWith('.deb')) ?? '';
  return join(folder, 'package first', deb);
}

interface Where {
  readonly suite: string;
  readonly deb: string;
  readonly folder: string;
}

async function install(report: Report, debian: BareDebian, { suite, deb, folder }: Where): Promise<void> {
  const put = async (file: string, name: string) => {
    await debian.write(`/root/${name}`, await readFile(file));
    return `/root/${name}`;
  };
  const install = (file: string) => debian.apt('install', '-o', 'Dpkg::Options::=--force-confold', file);
  await debian.apt('update');
  const own = await debian.run(['sh', '-c', 'apt-cache madison nodejs | cut -d"|" -f2 | head -n 1']);
  if (/^ *(2[2-9]|20\.(19|[2-9]\d))\./.test(own.out))
    report.say(`  ${suite}: Node.js${own.out.trimEnd()} of Debian`);
  else {
    report.say(
      `  ${suite}: Debian's Node.js${own.out.trimEnd()} is too old, so this machine's takes its place`,
    );
    await install(await put(await packNode(folder), 'nodejs.deb'));
  }
  const first = await put(deb, 'forecourt.deb');
  await install(first);
  await demandBare(report, debian);
  await demandRights(report, debian);
  await debian.apt('install', '--no-install-recommends', 'systemd', 'logrotate');
  await demandUnits(report, debian);

  const service = await InstalledService.open(debian, report, LEAST_MEMORY);
  await service.loadRelease('1.0.0');
  await service.serve(async (url) => service.demandRelease(url));
  const before = await stat(debian.path(ENV_FILE));

  // The old process goes on while its files are replaced twice. Each new thread reads files of the old version.
  const upgrades: string[] = [];
  for (const name of ['drill1', 'drill2'])
    upgrades.push(await put(await withVersion(deb, `${manifest.version}+${name}`, folder), `${name}.deb`));
  await service.serve(async (url) => {
    for (const next of upgrades) {
      await install(next);
      await service.demandRelease(url);
    }
  });
  await debian.must('dpkg-reconfigure', 'forecourt');
  await service.serve(async (url) => service.demandRelease(url));
  const after = await stat(debian.path(ENV_FILE));
  report.demand(before.mtimeMs === after.mtimeMs, 'the upgrade wrote the configuration');
  report.say(
    `  ${suite}: upgraded twice under a running process, and configured again: the data of 1.0.0 are served`,
  );

  await demandRemoval(report, debian, service, { install: () => install(upgrades.at(-1) ?? '') });
  report.say(`  ${suite}: removed with its data left, installed again, purged with and without the data`);
}

/** A machine without the tools of development. */
async function demandBare(report: Report, debian: BareDebian): Promise<void> {
  for (const tool of ['npm', 'cc', 'g++', 'make', 'git', 'python3'])
    report.demand((await debian.run(['which', tool])).code !== 0, `the package brings ${tool}`);
  const [, kibibytes] = /^Installed-Size: (\d+)$/m.exec(await debian.must('dpkg', '-s', 'forecourt')) ?? [];
  report.say(`  installed: ${Math.round(Number(kibibytes) / 1024)} MiB`);
}

const RIGHTS: Readonly<Record<string, string>> = {
  '/etc/forecourt': '750 root:forecourt',
  [ENV_FILE]: '640 root:forecourt',
  '/var/lib/forecourt': '700 forecourt:forecourt',
  '/usr/bin/forecourt': '755 root:root',
  '/usr/lib/forecourt/current/': '755 root:root',
};

async function demandRights(report: Report, debian: BareDebian): Promise<void> {
  for (const [path, right] of Object.entries(RIGHTS)) {
    const found = (await debian.must('stat', '-c', '%a %U:%G', path)).trim();
    report.demand(found === right, `${path} is ${found} instead of ${right}`);
  }
  const wrong = await debian.must(
    'find',
    '/usr/lib/forecourt/',
    '(',
    '-perm',
    '/022',
    '-o',
    '!',
    '-user',
    'root',
    ')',
    '!',
    '-type',
    'l',
  );
  report.demand(wrong.trim() === '', `the service could change ${wrong.trim().split('\n')[0]}`);
  report.demand(
    (await debian.run(['dpkg', '--verify', 'forecourt'])).out.trim() === '',
    'files differ from the package',
  );
}

async function demandUnits(report: Report, debian: BareDebian): Promise<void> {
  const units = UNITS.map((unit) => `/usr/lib/systemd/system/${unit.replace('@.', '@8081.')}`);
  await debian.must('ln', '-sf', 'forecourt@.service', units[1] ?? '');
  const { out } = await debian.run(['systemd-analyze', 'verify', '--man=no', ...units]);
  await debian.must('rm', units[1] ?? '');
  // The programs of systemd itself are not all there.
  const faults = out.split('\n').filter((line) => /forecourt/.test(line));
  report.demand(faults.length === 0, `systemd-analyze verify: ${faults.join(' ')}`);
  const rotation = await debian.run(['logrotate', '-d', '/etc/logrotate.d/forecourt']);
  report.demand(rotation.code === 0 && !/error:/.test(rotation.out), `logrotate: ${rotation.out}`);
}

async function demandRemoval(
  report: Report,
  debian: BareDebian,
  service: InstalledService,
  { install }: { install: () => Promise<string> },
): Promise<void> {
  const isThere = async (path: string) => (await debian.run(['test', '-e', path])).code === 0;
  await debian.apt('remove', 'forecourt');
  report.demand(!(await isThere('/usr/lib/forecourt')), 'code is left');
  report.demand(await isThere('/var/lib/forecourt/database/data'), 'remove removed the data');
  report.demand(await isThere(ENV_FILE), 'remove removed the configuration');

  await install();
  await service.serve(async (url) => service.demandRelease(url));
  await debian.apt('purge', 'forecourt');
  report.demand(!(await isThere(ENV_FILE)), 'purge left the configuration');
  report.demand(await isThere('/var/lib/forecourt/database/data'), 'purge removed the data without a yes');

  await install();
  const answer = 'forecourt forecourt/remove-data boolean true\n';
  await debian.run(['debconf-set-selections'], { typed: answer });
  await debian.apt('purge', 'forecourt');
  for (const path of ['/var/lib/forecourt', '/etc/forecourt', '/usr/lib/forecourt'])
    report.demand(!(await isThere(path)), `purge left ${path}`);
  report.demand((await debian.run(['id', 'forecourt'])).code !== 0, 'purge left the user');
}
