// Chromium for tests of pages. Without Chromium the tests fail and say what to install.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

export function launchBrowser(): Promise<Browser> {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = folders
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((file) => existsSync(file));
  if (!found)
    throw new Error('Chromium is needed; as root: apt-get install --no-install-recommends chromium');
  // Its sandbox does not work as root, which is what containers run as; it opens nothing but our own pages.
  return chromium.launch({ executablePath: found, args: ['--no-sandbox'] });
}
