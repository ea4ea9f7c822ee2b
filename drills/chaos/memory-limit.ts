// A limit of the kernel for the memory of processes and of all that they start: a group of cgroup v2 or v1.
import { existsSync } from 'node:fs';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../../test/support/service/until.ts';

/** The files of a group in both versions of cgroup. */
interface Names {
  readonly base: string;
  readonly limit: string;
  readonly peak: string;
  readonly events: string;
}

const V2: Names = {
  base: '/sys/fs/cgroup',
  limit: 'memory.max',
  peak: 'memory.peak',
  events: 'memory.events',
};
const V1: Names = {
  base: '/sys/fs/cgroup/memory',
  limit: 'memory.limit_in_bytes',
  peak: 'memory.max_usage_in_bytes',
  events: 'memory.oom_control',
};

export class MemoryLimit {
  private readonly folder: string;
  private readonly names: Names;

  private constructor(folder: string, names: Names) {
    this.folder = folder;
    this.names = names;
  }

  /** Makes a group. Undefined if this machine lets nobody make one. */
  static async make(mebibytes: number): Promise<MemoryLimit | undefined> {
    const names = existsSync(join(V2.base, 'cgroup.controllers')) ? V2 : V1;
    const folder = join(names.base, `forecourt-${process.pid}-${mebibytes}`);
    try {
      await mkdir(folder);
      await writeFile(join(folder, names.limit), String(mebibytes * 2 ** 20));
      return new MemoryLimit(folder, names);
    } catch {
      await rmdir(folder).catch(() => {});
      return undefined;
    }
  }

  /** The words in front of a command that runs in the group. */
  get words(): readonly string[] {
    return ['sh', '-c', 'echo $$ >"$0" && exec "$@"', join(this.folder, 'cgroup.procs')];
  }

  /** Moves a process into the group. What it starts from here on is in the group too. */
  async add(pid: number): Promise<void> {
    await writeFile(join(this.folder, 'cgroup.procs'), String(pid));
  }

  /** The most memory so far, in MiB. Files that the kernel keeps in memory count, and go when others need the place. */
  async peak(): Promise<number> {
    return Number(await this.read(this.names.peak)) / 2 ** 20;
  }

  /** How many processes the kernel has killed for lack of memory. */
  async kills(): Promise<number> {
    return Number(/^oom_kill (\d+)$/m.exec(await this.read(this.names.events))?.[1] ?? 0);
  }

  /** Ends what still runs in the group. */
  async remove(): Promise<void> {
    for (const pid of (await this.read('cgroup.procs')).split('\n').filter(Boolean))
      process.kill(Number(pid), 'SIGKILL');
    await until(() =>
      rmdir(this.folder).then(
        () => true,
        () => false,
      ),
    );
  }

  private read(name: string): Promise<string> {
    return readFile(join(this.folder, name), 'utf8');
  }
}
