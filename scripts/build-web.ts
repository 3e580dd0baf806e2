import { relative } from 'node:path';
import { build } from 'vite';

/** Builds the page into dist/web and returns the folders of the packages whose code is in it. */
export async function buildWeb(): Promise<string[]> {
  const result = await build({ configFile: 'web/vite.config.ts', logLevel: 'warn' });
  const output = 'output' in result ? result.output : [];
  const modules = output.flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []));
  const folders = modules.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders.map((folder) => relative('.', folder)))];
}
