// Builds a release from its own sources, so that its processes can stand beside those of this version.
import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));

interface Released {
  /** A checkout may have no tags. */
  readonly commit: string;
  /** Whether a migration on MySQL undoes lists with `expand` that its processes read just then. */
  readonly losesReads?: true;
}

export type Release = '1.0.0' | '1.1.0';

const RELEASED: Readonly<Record<Release, Released>> = {
  '1.0.0': { commit: '96d22db45712879ee1eebf088d6019d4c1823610', losesReads: true },
  '1.1.0': { commit: '11d7c9333e1d8f70a718ed96b02f7c2409c94d1a' },
};

export const losesReads = (release: Release): boolean => RELEASED[release].losesReads === true;

/** Builds the release in a folder that it makes. Answers the folder of the compiled program. */
export async function buildRelease(release: Release, folder: string): Promise<string> {
  const { commit } = RELEASED[release];
  await mkdir(folder, { recursive: true });
  const archive = join(folder, 'sources.tar');
  try {
    await run('git', ['-C', CHECKOUT, 'archive', `--output=${archive}`, commit]);
  } catch (error) {
    throw new Error(
      `this needs a checkout with the commit ${commit} of ${release}: ${(error as Error).message}`,
    );
  }
  await run('tar', ['-xf', archive, '-C', folder]);
  await rm(archive);
  await run('npm', ['ci', '--no-audit', '--no-fund', '--silent'], { cwd: folder });
  await run(join(folder, 'node_modules/.bin/tsc'), [], { cwd: folder });
  return join(folder, 'dist');
}
