// Times the backup of a garage beside mysqldump piped through zip at the same compression level.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ownedTables } from '../src/core/model/records/table.ts';
import type { BackupMade, BackupRun } from './backup-run.ts';
import type { Dataset } from './dataset.ts';
import { type DumpMade, dumpBytes, dumpOwner } from './dump.ts';
import { runProgram } from './process.ts';
import { type Measured, section, tableText, verdict } from './report.ts';
import { median, spread } from './statistics.ts';

/** Level 1 is the level that the service writes. */
const LEVELS = [
  { level: 1, maxRatio: 2 },
  { level: 6, maxRatio: 1.5 },
];

interface LevelRuns {
  readonly level: number;
  readonly maxRatio: number;
  readonly backups: BackupMade[];
  readonly dumps: DumpMade[];
}

export async function measureBackup(dataset: Dataset, { rounds }: { rounds: number }): Promise<Measured> {
  const folder = join(dataset.folder, 'backups');
  await mkdir(folder, { recursive: true });
  const { owner } = dataset.garage;
  const { connection, storage } = dataset.base;
  const file = join(folder, 'backup.zip');
  const backUp = async (level: number) => {
    const run: BackupRun = {
      job: 'bench',
      fence: 1,
      owner,
      archive: 'bench.zip',
      isCancelled: false,
      tables: ownedTables(),
      serviceVersion: 'bench',
      connection,
      storage: storage.settings,
      level,
    };
    const made = await runProgram<BackupMade>('backup-run.js', run);
    await storage.archives.remove(run.archive);
    return made;
  };
  const source = { owner, socket: connection.socketPath ?? '', database: connection.database };
  const dump = async (level: number) => {
    await rm(file, { force: true });
    return dumpOwner(source, level, file);
  };
  const bytes = await dumpBytes(source);
  const measured: LevelRuns[] = LEVELS.map((of) => ({ ...of, backups: [], dumps: [] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { level, backups, dumps } of measured) {
      backups.push(await backUp(level));
      dumps.push(await dump(level));
    }
  }
  await rm(folder, { recursive: true, force: true });
  return report(measured, bytes);
}

function report(measured: readonly LevelRuns[], dumpBytes: number): Measured {
  const rows = measured.flatMap(({ level, backups, dumps }) => {
    const [backup] = backups;
    if (!backup) return [];
    const line = (name: string, seconds: number, bytes: number, size: number) => [
      name,
      seconds.toFixed(2),
      (backup.rows / seconds).toFixed(0),
      (bytes / seconds / 1e6).toFixed(0),
      (bytes / 1e6).toFixed(0),
      (size / 1e6).toFixed(1),
    ];
    const seconds = (of: readonly { seconds: number }[]) => median(of.map((one) => one.seconds));
    return [
      line(`backup, level ${level}`, seconds(backups), backup.bytes, backup.size),
      line(`mysqldump, zip -${level}`, seconds(dumps), dumpBytes, dumps[0]?.size ?? 0),
    ];
  });
  const head = ['', 'seconds', 'rows/s', 'MB/s read', 'MB before', 'MB zip'];
  const verdicts = measured.map(({ level, maxRatio, backups, dumps }) => {
    const ratios = spread(
      backups.map(({ seconds }, round) => seconds / (dumps[round]?.seconds ?? Number.NaN)),
    );
    const what = `Backup at level ${level}: time relative to mysqldump piped through zip -${level}`;
    return verdict(what, ratios, { most: maxRatio });
  });
  const count = measured[0]?.backups[0]?.rows ?? 0;
  return { text: section(`Backup of ${count} rows (\`backup\`)`, tableText([head, ...rows])), verdicts };
}
