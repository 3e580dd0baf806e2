import { existsSync } from 'node:fs';
import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/** Debian's package. */
const SYSTEM_BROWSER = '/usr/bin/chromium';
/**
 * Flags of the npm package that switch web security off, that end the browser when a context closes, or that draw by
 * an emulated graphics card: form.test.ts took 42 seconds of CPU with it and 27 without.
 */
const UNWANTED = /single-process|no-zygote|web-security|insecure-content|site-isolation|gpu|use-gl|angle|swiftshader/;

/** Unpacks the browser of the npm package, unless it is there already or another one is used. */
export async function unpackBrowser(): Promise<void> {
  if (!process.env.CHROME_PATH) await sparticuz.executablePath();
}

/** A browser from CHROME_PATH, else from npm, else of the machine. */
export async function launchBrowser(): Promise<Browser> {
  const { CHROME_PATH } = process.env;
  if (CHROME_PATH) return chromium.launch({ executablePath: CHROME_PATH });
  try {
    const executablePath = await sparticuz.executablePath();
    const args = sparticuz.args.filter((flag) => !UNWANTED.test(flag));
    return await chromium.launch({ executablePath, args: [...args, '--disable-gpu'] });
  } catch (error) {
    if (!existsSync(SYSTEM_BROWSER)) throw error;
    return chromium.launch({ executablePath: SYSTEM_BROWSER });
  }
}
