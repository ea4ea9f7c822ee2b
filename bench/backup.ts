// Times the backup of a garage, beside mysqldump piped through zip at the same level of compression.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ownedTables } from '../src/model/table.ts';
import type { BackupMade, BackupRun } from './backup-run.ts';
import { type DumpMade, dumpBytes, dumpOwner } from './dump.ts';
import type { Ground } from './ground.ts';
import { runProgram } from './process.ts';
import { type Measured, section, shown, tableText, verdict } from './report.ts';
import { median, spread } from './statistics.ts';

/** Levels of compression, each with the highest ratio that is aimed at. The service writes at level 1. */
const TARGETS = new Map([
  [6, 1.1],
  [1, 1.5],
]);

interface Rounds {
  readonly level: number;
  readonly ours: BackupMade[];
  readonly dumps: DumpMade[];
}

export async function measureBackup(ground: Ground, { rounds }: { rounds: number }): Promise<Measured> {
  const folder = join(ground.folder, 'backups');
  await mkdir(folder, { recursive: true });
  const { owner } = ground.garage;
  const { connection, storage } = ground.base;
  const file = join(folder, 'backup.zip');
  const ours = async (level: number) => {
    await rm(file, { force: true });
    const run: BackupRun = {
      owner,
      file,
      tables: ownedTables(),
      connection,
      documents: storage.documents,
      level,
    };
    return runProgram<BackupMade>('backup-run.js', run);
  };
  const source = { owner, socket: connection.socketPath ?? '', database: connection.database };
  const dump = async (level: number) => {
    await rm(file, { force: true });
    return dumpOwner({ ...source, level, file });
  };
  const bytes = await dumpBytes(source);
  const measured: Rounds[] = [...TARGETS.keys()].map((level) => ({ level, ours: [], dumps: [] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { level, ours: made, dumps } of measured) {
      made.push(await ours(level));
      dumps.push(await dump(level));
    }
  }
  await rm(folder, { recursive: true, force: true });
  return report(measured, bytes);
}

function report(measured: readonly Rounds[], dumpBytes: number): Measured {
  const rows = measured.flatMap(({ level, ours, dumps }) => {
    const made = ours[0];
    if (!made) return [];
    const line = (name: string, seconds: number, bytes: number, size: number) => [
      name,
      seconds.toFixed(2),
      (made.rows / seconds).toFixed(0),
      (bytes / seconds / 1e6).toFixed(0),
      (bytes / 1e6).toFixed(0),
      (size / 1e6).toFixed(1),
    ];
    const seconds = (of: readonly { seconds: number }[]) => median(of.map((one) => one.seconds));
    return [
      line(`backup, level ${level}`, seconds(ours), made.bytes, made.size),
      line(`mysqldump, zip -${level}`, seconds(dumps), dumpBytes, dumps[0]?.size ?? 0),
    ];
  });
  const head = ['', 'seconds', 'rows/s', 'MB/s read', 'MB before', 'MB zip'];
  const verdicts = measured.map(({ level, ours, dumps }) => {
    const ratios = spread(ours.map(({ seconds }, round) => seconds / (dumps[round]?.seconds ?? Number.NaN)));
    const what = `Backup at level ${level}: time to that of mysqldump piped through zip -${level}`;
    const target = TARGETS.get(level) ?? 0;
    return verdict(what, `≤ ${target}`, shown(ratios), ratios.median <= target);
  });
  const count = measured[0]?.ours[0]?.rows ?? 0;
  return { text: section(`Backup of ${count} rows (\`backup\`)`, tableText([head, ...rows])), verdicts };
}
