// The service of a package, started by hand as its unit says, since no systemd runs in a bare Debian: as the unit's
// user, on one core, within a limit of memory. It gets the data of a kept release, and must serve all of them.
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { BACKUP, DUMP, LOGIN, type Login, RELEASES, SIGNING_SECRET } from '../../test/releases/release.ts';
import { send } from '../../test/support/client/client.ts';
import { type Backup, readBackup } from '../../test/support/files/backup.ts';
import { pngOf } from '../../test/support/files/picture.ts';
import { until } from '../../test/support/service/until.ts';
import type { BareDebian } from './bare-debian.ts';
import { MemoryLimit } from './memory-limit.ts';
import type { Report } from './report.ts';

const USER = 'forecourt:forecourt';
const SOCKET = '/var/lib/forecourt/database/mysql.sock';
const PATIENCE_MS = 180_000;
const ENV_FILE = '/etc/forecourt/forecourt.env';

export class InstalledService {
  private readonly debian: BareDebian;
  private readonly report: Report;
  private readonly mebibytes: number;
  private kept?: { readonly backup: Backup; readonly login: Login };
  private said = false;

  private constructor(debian: BareDebian, report: Report, mebibytes: number) {
    this.debian = debian;
    this.report = report;
    this.mebibytes = mebibytes;
  }

  static async open(debian: BareDebian, report: Report, mebibytes: number): Promise<InstalledService> {
    const service = new InstalledService(debian, report, mebibytes);
    // As an operator edits the file.
    const text = await readFile(debian.path(ENV_FILE), 'utf8');
    const edited = text
      .replace(/^PUBLIC_URL=.*$/m, 'PUBLIC_URL=')
      .replace(/^#SIGNING_SECRET=.*$/m, `SIGNING_SECRET='${SIGNING_SECRET}'`);
    await debian.write(ENV_FILE, `${edited}\nPORT=0\n`);
    return service;
  }

  /** Loads the kept database and documents of a release, as "Backup and restore" in docs/operations.md says. */
  async loadRelease(release: string): Promise<void> {
    const { debian } = this;
    const file = (name: string) => fileURLToPath(new URL(`${release}/mariadb/${name}`, RELEASES));
    const backup = await readBackup(file(BACKUP));
    this.kept = { backup, login: JSON.parse(await readFile(file(LOGIN), 'utf8')) };
    const server = debian.spawn(['forecourt', 'database']);
    const ended = once(server, 'exit');
    await until(
      async () => (await debian.run(['mariadb', `--socket=${SOCKET}`, '-e', 'SELECT 1'])).code === 0,
      PATIENCE_MS,
    );
    const empty =
      'DROP DATABASE forecourt; CREATE DATABASE forecourt CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';
    await debian.must('mariadb', `--socket=${SOCKET}`, '-e', empty);
    await debian.write('/root/dump.sql', await promisify(gunzip)(await readFile(file(DUMP))));
    const loaded = await debian.run(['sh', '-c', `mariadb --socket=${SOCKET} forecourt </root/dump.sql`]);
    this.report.demand(loaded.code === 0, `the dump of ${release} was not loaded: ${loaded.out}`);
    server.kill('SIGTERM');
    await ended;
    const documents = debian.path('/var/lib/forecourt/documents');
    await mkdir(documents, { recursive: true });
    for (const [path, bytes] of backup.content)
      if (path.startsWith('documents/'))
        await writeFile(join(documents, path.slice('documents/'.length)), bytes);
    await debian.must('chown', '-R', USER, '/var/lib/forecourt');
  }

  /** Starts what the unit starts, waits until it is ready, does the work, and stops it. */
  async serve(work: (url: string) => Promise<void>): Promise<void> {
    const unit = await readFile(this.debian.path('/usr/lib/systemd/system/forecourt.service'), 'utf8');
    const [, command = ''] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
    const [, directory = ''] = /^WorkingDirectory=(.*)$/m.exec(unit) ?? [];
    const limit = await MemoryLimit.make(this.mebibytes);
    const start = 'set -a && . "$1" && cd "$2" && exec $3';
    const child = this.debian.spawn(['sh', '-c', start, 'sh', ENV_FILE, directory, command], {
      user: USER,
      before: [...(limit?.words ?? []), 'taskset', '-c', '0'],
    });
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => output.push(text));
    const ended = once(child, 'exit');
    try {
      const url = await until(async () => {
        if (child.exitCode !== null) throw new Error(`the service ended: ${output.join('')}`);
        return /"url":"([^"]+)","msg":"listening"/.exec(output.join(''))?.[1];
      }, PATIENCE_MS);
      await work(url);
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
    this.report.demand(
      child.exitCode === 0,
      `the service ended with ${child.exitCode}: ${output.slice(-5).join('')}`,
    );
    await this.reportMemory(limit);
  }

  private async reportMemory(limit: MemoryLimit | undefined): Promise<void> {
    if (!limit) {
      if (!this.said) this.report.say('  without a limit of memory: this machine lets nobody make a cgroup');
    } else {
      const [peak, kills] = [await limit.peak(), await limit.kills()];
      this.report.demand(kills === 0, `the kernel killed ${kills} processes at ${this.mebibytes} MiB`);
      if (!this.said)
        this.report.say(
          `  on one core, within ${this.mebibytes} MiB: at most ${Math.round(peak)} MiB, files included`,
        );
      await limit.remove();
    }
    this.said = true;
  }

  /** Every record and file of the release is there, and the parts with native code work. */
  async demandRelease(url: string): Promise<void> {
    const { report, kept } = this;
    if (!kept) throw new Error('no release is loaded');
    const { owner, ...login } = kept.login;
    const json = { 'content-type': 'application/json' };
    const answer = await send('POST', `${url}/v2/authenticate`, {
      headers: json,
      body: JSON.stringify(login),
    });
    report.demand(answer.status === 200, `no login with the kept key: ${answer.text}`);
    const headers = { ...json, token: String(answer.body?.token) };
    const ask = (method: string, path: string, body?: object) =>
      send(method, `${url}/v2${path}`, { headers, body: body && JSON.stringify(body) });
    for (const resource of ['order', 'contact', 'vehicle', 'document', 'payment']) {
      const { body } = await ask('GET', `/${resource}?count=1&page_size=1`);
      const expected = kept.backup.records[resource]?.length;
      report.demand(body?.total === expected, `${body?.total} records of ${resource} instead of ${expected}`);
    }
    const logo = pngOf(40, 20).toString('base64');
    const put = await ask('PUT', `/owner/${owner}`, { logo });
    report.demand(put.status === 200, `a logo: ${put.status} ${put.text}`);
    const made = await ask('POST', '/export', { resource: 'order', format: 'csv' });
    if (made.status !== 202) throw new Error(`an export: ${made.status} ${made.text}`);
    const done = await until(async () => {
      const { data } = await ask('GET', `/job/${made.data?.job_id}`);
      return /done|failed/.test(String(data?.status)) && data;
    }, PATIENCE_MS);
    report.demand(done.status === 'done', `an export: ${JSON.stringify(done)}`);
    const doctor = await this.debian.run(['forecourt', 'doctor', '--offline']);
    report.demand(doctor.code === 0, `forecourt doctor: ${doctor.out}`);
  }
}
