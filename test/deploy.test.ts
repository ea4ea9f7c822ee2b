// The files that an operator installs: the systemd units differ only where they must, the launcher finds its version
// and a Node.js that is new enough, and the Debian package asks for that. `make chaos ARGS=package` installs it.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import manifest from '../package.json' with { type: 'json' };
import { childEnvironment } from '../src/platform/config.ts';
import { mountSmallDisk } from './support/process/full-disk.ts';

const ROOT = resolve(fileURLToPath(import.meta.url), '../../..');
const DEPLOY = join(ROOT, 'deploy');
const run = promisify(execFile);
const UNITS = ['forecourt.service', 'forecourt@.service', 'forecourt-database.service'];

const settings = async (unit: string) =>
  (await readFile(resolve(DEPLOY, unit), 'utf8')).split('\n').filter((line) => /^\w+=/.test(line));

describe('the systemd units', () => {
  it('all have the limits and protections of the first one', async () => {
    const own = /^(Description|Type|ExecStart|Restart\w*|KillMode|TimeoutStop\w+|Wants|After)=/;
    const shared = (await settings('forecourt.service')).filter((line) => !own.test(line));

    for (const unit of UNITS) expect(await settings(unit), unit).to.include.members(shared);
    expect(shared).to.include('ProtectSystem=strict');
  });

  it('wait until the clock is set', async () => {
    for (const unit of UNITS)
      for (const name of ['Wants', 'After']) {
        const line = (await settings(unit)).find((one) => one.startsWith(`${name}=`));
        expect(line?.slice(name.length + 1).split(' '), `${name} of ${unit}`).to.include('time-sync.target');
      }
  });

  it('go on without a process that the kernel has killed', async () => {
    for (const unit of UNITS) expect(await settings(unit), unit).to.include('OOMPolicy=continue');
  });

  it('give a process more time to stop than it needs', async () => {
    const seconds = (lines: string[], name: RegExp) =>
      Number(lines.map((line) => name.exec(line)?.[1]).find((found) => found !== undefined) ?? 0);

    for (const unit of UNITS) {
      const lines = await settings(unit);
      const drain = seconds(lines, /^Environment=DRAIN_SECONDS=(\d+)$/);
      expect(seconds(lines, /^TimeoutStopSec=(\d+)$/), unit).to.be.above(drain + 20);
    }
  });
});

describe('the alert rules', () => {
  it('are all in the table of docs/operations.md, and no other', async () => {
    const rules = await readFile(join(DEPLOY, 'alerts.yml'), 'utf8');
    const operations = await readFile(join(ROOT, 'docs/operations.md'), 'utf8');

    const names = [...rules.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name);
    const rows = [...operations.matchAll(/^\| (Forecourt\w+) +\|/gm)].map(([, name]) => name);

    expect(names).to.include('ForecourtHeld');
    expect(rows).to.have.members(names);
  });
});

describe('the unit of the private database', () => {
  /** Whether the unit goes on to its command. The exit code 1 skips the unit, and is no failure. */
  const starts = async (DATABASE_URL: string | undefined) => {
    const lines = (await settings('forecourt-database.service')).join('\n');
    const [, script = 'exit 2'] = /^ExecCondition=\/bin\/sh -c '(.*)'$/m.exec(lines) ?? [];
    // systemd turns $$ into $.
    const words = ['-c', script.replaceAll('$$', '$')];
    return run('/bin/sh', words, { env: childEnvironment({ DATABASE_URL }) }).then(
      () => 0,
      ({ code }) => code,
    );
  };

  it('is skipped with DATABASE_URL, since the units forecourt@PORT want it all the same', async () => {
    const wants = (await settings('forecourt@.service')).find((line) => line.startsWith('Wants='));

    expect(wants).to.include('forecourt-database.service');
    expect(await starts('mysql://forecourt:a b@127.0.0.1/forecourt')).to.equal(1);
    for (const unset of [undefined, '']) expect(await starts(unset)).to.equal(0);
  });
});

describe('the launcher', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-launcher-'));
    await symlink(join(ROOT, 'bin/forecourt'), join(folder, 'forecourt'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** The launcher through a link, from another folder. `version`: what Node.js says of itself. */
  const launch = async (words: string[], version?: string) => {
    const env = childEnvironment({});
    if (version !== undefined) {
      await writeFile(join(folder, 'node'), `#!/bin/sh\necho ${version}\n`);
      await chmod(join(folder, 'node'), 0o755);
      env.PATH = `${folder}:${env.PATH}`;
    }
    return run(join(folder, 'forecourt'), words, { cwd: folder, env }).then(
      ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
      ({ code, stdout, stderr }) => ({ code, out: stdout, err: stderr }),
    );
  };

  it('runs the command line of its own version, wherever a link to it is', async () => {
    expect(await launch(['--version'])).to.deep.equal({ code: 0, out: `${manifest.version}\n`, err: '' });
  });

  it('refuses a Node.js that is too old, in one line', async () => {
    for (const version of ['v18.20.4', 'v20.18.3']) {
      const { code, err } = await launch(['--version'], version);

      expect(code).to.equal(1);
      expect(err).to.equal(
        `forecourt: Node.js 20.19 or newer is needed, this is ${version}: see "Node.js" in docs/operations.md\n`,
      );
    }
    for (const version of ['v20.19.0', 'v22.1.0', 'v100.0.0'])
      expect((await launch(['--version'], version)).out).to.equal(`${version}\n`);
  });

  it('gives Node the authority that its file names, which Node does not read there', async () => {
    const file = join(folder, 'forecourt.env');
    const node = '#!/bin/sh\n[ "$1" = --version ] && echo v22.1.0 || echo "$NODE_EXTRA_CA_CERTS"\n';
    await writeFile(join(folder, 'node'), node);
    await chmod(join(folder, 'node'), 0o755);
    const seen = async (text: string, NODE_EXTRA_CA_CERTS?: string) => {
      await writeFile(file, text);
      const PATH = `${folder}:${process.env.PATH}`;
      const env = childEnvironment({ PATH, FORECOURT_ENV_FILE: file, NODE_EXTRA_CA_CERTS });
      return (await run(join(folder, 'forecourt'), ['doctor'], { env })).stdout.trim();
    };

    for (const value of ['/etc/ca.pem', '"/etc/ca.pem"', "'/etc/ca.pem' "])
      expect(await seen(`PORT=8080\nNODE_EXTRA_CA_CERTS=${value}\n`), value).to.equal('/etc/ca.pem');
    expect(await seen("NODE_EXTRA_CA_CERTS='/etc/my ca.pem'\n")).to.equal('/etc/my ca.pem');
    expect(await seen('NODE_EXTRA_CA_CERTS=/etc/ca.pem\n', '/own.pem')).to.equal('/own.pem');
    expect(await seen('#NODE_EXTRA_CA_CERTS=/etc/ca.pem\n')).to.equal('');
  });

  it('refuses words behind serve', async () => {
    const { code, err } = await launch(['serve', '--port', '80']);

    expect([code, err]).to.deep.equal([
      1,
      'forecourt: serve takes no words, not "--port 80": environment variables configure the service\n',
    ]);
  });
});

describe('the command line of an installed service', () => {
  it('finds runuser, and a Node.js that is no package, with the PATH of cron', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'forecourt-installed-'));
    const installed = async (path: string, text: string) =>
      writeFile(join(folder, path), text, { mode: 0o755 });
    await mkdir(join(folder, 'bin'));
    await installed('bin/forecourt', '#!/bin/sh\ncommand -v runuser\necho "$PATH"\n');
    const wrapper = await readFile(join(DEPLOY, 'forecourt'), 'utf8');
    await installed('forecourt', wrapper.replaceAll('/opt/forecourt', folder));

    // The one command that root runs as root: this machine may have no user forecourt.
    const { stdout } = await run(join(folder, 'forecourt'), ['rolling-restart'], {
      env: { PATH: '/usr/bin:/bin' },
    });
    await rm(folder, { recursive: true, force: true });

    const [runuser, path] = stdout.trim().split('\n');
    expect(runuser).to.match(/^\/.*\/runuser$/);
    expect(path).to.match(/^\/usr\/bin:\/bin:(.*:)?\/usr\/local\/bin(:|$)/);
  });
});

describe('the Debian package', () => {
  it('asks for the Node.js that package.json asks for', async () => {
    const control = await readFile(join(DEPLOY, 'debian/control'), 'utf8');
    const launcher = await readFile(join(ROOT, 'bin/forecourt'), 'utf8');
    const needed = manifest.engines.node.replace(/^>=/, '');

    expect(control).to.include(`nodejs (>= ${needed})`);
    expect(launcher).to.include(`Node.js ${needed} or newer is needed`);
  });

  it('purges the data and the configuration, also if the data are on a disk of their own', async function () {
    const folder = await mkdtemp(join(tmpdir(), 'forecourt-purge-'));
    const [data, configuration] = [join(folder, 'var/lib/forecourt'), join(folder, 'etc/forecourt')];
    const unmount = await mountSmallDisk(data, 1);
    if (!unmount) return this.skip();
    for (const path of [data, configuration]) await mkdir(join(path, 'sub'), { recursive: true });

    const { stdout } = await purge(folder).finally(async () => {
      expect([await readdir(data), await readdir(dirname(configuration))]).to.deep.equal([[], []]);
      unmount();
      await rm(folder, { recursive: true });
    });

    expect(stdout).to.equal('deluser --quiet --system forecourt\n');
  });

  /** Purges the package from a machine whose root is the folder, and whose operator answers yes. */
  async function purge(folder: string) {
    await writeProgram(folder, 'bin/deluser', '#!/bin/sh\necho "deluser $*"\n');
    return runScript(folder, 'postrm', ['purge']);
  }

  it('has scripts that a shell can read, and configuration that it ships', async () => {
    const scripts = (await readdir(join(DEPLOY, 'debian'))).filter((name) => /^(pre|post)/.test(name));
    for (const name of scripts) await run('sh', ['-n', join(DEPLOY, 'debian', name)]);
    const pack = await readFile(join(ROOT, 'scripts/package.sh'), 'utf8');
    const files = (await readFile(join(DEPLOY, 'debian/conffiles'), 'utf8')).trim().split('\n');

    expect(scripts).to.have.members(['postinst', 'prerm', 'postrm']);
    for (const file of files) expect(pack, file).to.include(`"$tree${file}"`);
  });
});

describe('an upgrade of the Debian package', () => {
  const RUNS = "console.log('up'); setInterval(() => {}, 1_000);";
  let folder: string;
  let root: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-upgrade-'));
    root = join(folder, 'usr/lib/forecourt');
    for (const name of ['adduser', 'install', 'chown'])
      await writeProgram(folder, `bin/${name}`, '#!/bin/sh\n');
    await writeProgram(folder, 'bin/date', '#!/bin/sh\necho "$TODAY"\n');
    await writeProgram(folder, 'etc/forecourt/forecourt.env', '');
    await writeProgram(folder, 'usr/lib/forecourt/package/dist/src/main.js', RUNS);
    const launcher = await readFile(join(ROOT, 'bin/forecourt'), 'utf8');
    await writeProgram(folder, 'usr/lib/forecourt/package/bin/forecourt', launcher);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Unpacks and configures the version of a day. Answers the days whose folders are left. */
  const upgrade = async (day: string) => {
    await rm(join(root, 'package/package.json'), { force: true });
    await writeProgram(folder, 'usr/lib/forecourt/package/package.json', '{}');
    await runScript(folder, 'postinst', ['configure', '1.0.0'], { TODAY: day });
    return (await readdir(join(root, 'versions'))).sort();
  };

  it('leaves the version before, and each version that still runs', async () => {
    await upgrade('monday');
    const service = spawn(join(root, 'current/bin/forecourt'), ['serve'], { env: childEnvironment({}) });
    await once(service.stdout, 'data');
    await upgrade('tuesday');

    const whileItRuns = [await upgrade('wednesday'), await upgrade('thursday')];
    service.kill();
    await once(service, 'exit');
    const after = await upgrade('friday');

    expect(whileItRuns[0]).to.deep.equal(['monday', 'tuesday', 'wednesday']);
    expect(whileItRuns[1]).to.deep.equal(['monday', 'thursday', 'wednesday']);
    expect(after).to.deep.equal(['friday', 'thursday']);
  });
});

/** Writes an executable file below a folder. */
async function writeProgram(folder: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text, { mode: 0o755 });
}

/** Runs a script of the package on a machine whose root is the folder, and whose operator answers yes. */
async function runScript(folder: string, name: string, words: string[], env: NodeJS.ProcessEnv = {}) {
  const silent = ['db_fset', 'db_input', 'db_go', 'db_purge', 'db_stop'].map((one) => `${one}() { :; }`);
  const answers = ['db_get() { RET=true; }', ...silent, ''].join('\n');
  await writeProgram(folder, 'usr/share/debconf/confmodule', answers);
  const script = await readFile(join(DEPLOY, 'debian', name), 'utf8');
  await writeProgram(folder, name, script.replace(/\/(?=(?:etc|run|usr|var)\/)/g, `${folder}/`));
  return run('sh', [join(folder, name), ...words], {
    env: { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, ...env },
  });
}
