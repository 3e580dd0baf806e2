import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { unpackBrowser } from './browser.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A folder for databases made from the shipped CSV files. The first server makes them; the others only read them. */
    databases: string;
  }
}

/** Unpacks the browser before any file starts: two workers that unpack it at once start a file that is still being written. */
export default async function setUp(project: TestProject): Promise<() => void> {
  await unpackBrowser();
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-spaces-'));
  project.provide('databases', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
