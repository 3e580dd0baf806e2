import { existsSync } from 'node:fs';
import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/** Debian's package. */
const SYSTEM_BROWSER = '/usr/bin/chromium';
/** Flags of the npm package that switch web security off, or that end the browser when a context closes. */
const UNWANTED = /single-process|no-zygote|web-security|insecure-content|site-isolation/;

/** A browser from CHROME_PATH, else from npm, else of the machine. */
export async function launchBrowser(): Promise<Browser> {
  const { CHROME_PATH } = process.env;
  if (CHROME_PATH) return chromium.launch({ executablePath: CHROME_PATH });
  try {
    const executablePath = await sparticuz.executablePath();
    return await chromium.launch({ executablePath, args: sparticuz.args.filter((flag) => !UNWANTED.test(flag)) });
  } catch (error) {
    if (!existsSync(SYSTEM_BROWSER)) throw error;
    return chromium.launch({ executablePath: SYSTEM_BROWSER });
  }
}
