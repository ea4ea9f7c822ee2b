// A bare Debian in a folder: what debootstrap makes, with apt and without systemd running, compilers or npm. Its mounts
// are in a namespace of each command, so the machine never has them, and removing the folder removes nothing else.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '../../src/platform/config.ts';

const run = promisify(execFile);
/** Output of apt. */
const MOST_BYTES = 64 * 2 ** 20;
const PATHS = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Why this machine can't make a bare Debian. Undefined: it can. */
export async function whyNoDebian(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'only root can make a bare Debian';
  for (const [program, from] of [
    ['debootstrap', 'debootstrap'],
    ['unshare', 'util-linux'],
    ['dpkg-deb', 'dpkg'],
  ] as const)
    if (!(await works(program, '--version'))) return `${program} is missing (Debian's package ${from})`;
  if (!(await works('unshare', '--mount', 'true'))) return 'this machine allows no mounts';
  return undefined;
}

const works = (program: string, ...words: string[]) =>
  run(program, words).then(
    () => true,
    () => false,
  );

/** The address that this machine's apt uses for Debian. */
async function mirror(): Promise<string> {
  const { stdout } = await run('apt-get', [
    'indextargets',
    '--format',
    '$(REPO_URI)',
    'Created-By: Packages',
  ]);
  return stdout.split('\n').find((line) => /\/debian\/?$/.test(line)) ?? 'http://deb.debian.org/debian';
}

interface Ran {
  readonly code: number;
  /** Standard output and standard error. */
  readonly out: string;
}

export class BareDebian {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(suite: string, folder: string): Promise<BareDebian> {
    await mkdir(folder, { recursive: true });
    await run('debootstrap', ['--variant=minbase', suite, folder, await mirror()], { maxBuffer: MOST_BYTES });
    for (const file of ['/etc/resolv.conf', '/etc/hosts'])
      await copyFile(file, join(folder, file)).catch(() => {});
    return new BareDebian(folder);
  }

  path(path: string): string {
    return join(this.folder, path);
  }

  write(path: string, text: string | Uint8Array): Promise<void> {
    return writeFile(this.path(path), text);
  }

  /** Runs a command to its end, as root or as the user of the service. `typed`: its standard input. */
  async run(words: readonly string[], { user = 'root', typed = '' } = {}): Promise<Ran> {
    const child = this.spawn(words, { user });
    const out: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => out.push(text));
    // Most commands end without reading it.
    child.stdin?.on('error', () => {}).end(typed);
    const [code] = (await once(child, 'close')) as [number | null];
    return { code: code ?? 1, out: out.join('') };
  }

  /** Runs a command, and throws if it fails. */
  async must(...words: string[]): Promise<string> {
    const { code, out } = await this.run(words);
    if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${out.slice(-2_000)}`);
    return out;
  }

  /** `before`: words in front of the whole, such as those of a limit. */
  spawn(
    words: readonly string[],
    {
      user = 'root',
      env = {},
      before = [],
    }: { user?: string; env?: NodeJS.ProcessEnv; before?: readonly string[] } = {},
  ): ChildProcess {
    const script =
      'mount --bind /dev "$1/dev" && mount -t proc proc "$1/proc" && root=$1 user=$2 && shift 2 && exec chroot --userspec="$user" "$root" "$@"';
    const inside = ['sh', '-c', script, 'sh', this.folder, user, ...words];
    const [program = '', ...others] = [...before, 'unshare', '--mount', ...inside];
    return spawn(program, others, {
      env: { PATH: PATHS, HOME: '/', LC_ALL: 'C.UTF-8', DEBIAN_FRONTEND: 'noninteractive', ...env },
      stdio: 'pipe',
    });
  }

  apt(...words: string[]): Promise<string> {
    return this.must('apt-get', '-qq', '-y', '-o', 'APT::Sandbox::User=root', ...words);
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

/**
 * A package with the Node.js of this process. It takes the place of NodeSource's on a Debian whose own Node.js is too
 * old. Returns the path of the .deb.
 */
export async function packNode(folder: string): Promise<string> {
  const tree = join(folder, 'nodejs');
  await mkdir(join(tree, 'DEBIAN'), { recursive: true });
  await mkdir(join(tree, 'usr/bin'), { recursive: true });
  await copyFile(process.execPath, join(tree, 'usr/bin/node'));
  const { stdout } = await run('dpkg', ['--print-architecture']);
  const control = [
    'Package: nodejs',
    `Version: ${process.versions.node}-1`,
    `Architecture: ${stdout.trim()}`,
    'Maintainer: drill <drill@forecourt.example>',
    'Depends: libc6, libstdc++6',
    'Description: the Node.js of this machine',
  ];
  await writeFile(join(tree, 'DEBIAN/control'), `${control.join('\n')}\n`);
  await run('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, `${tree}.deb`]);
  return `${tree}.deb`;
}

/** The same package with another version, for an upgrade. Returns its path. */
export async function withVersion(deb: string, version: string, folder: string): Promise<string> {
  const tree = join(folder, 'repacked');
  const file = join(folder, `forecourt_${version}.deb`);
  await run('dpkg-deb', ['-R', deb, tree]);
  await run('sed', ['-i', `s/^Version: .*/Version: ${version}/`, join(tree, 'DEBIAN/control')]);
  await run('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, file], {
    env: childEnvironment({}),
  });
  await rm(tree, { recursive: true });
  return file;
}
