import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import { build } from 'vite';
import { buildProgram } from './build-program.ts';

/** Builds the published package: one bundle of the command and the library, the page, and the types. */

rmSync('dist', { recursive: true, force: true });
const { bundles, copied } = await buildProgram();
const page = await buildWeb();
writeLicenses('dist/LICENSES.txt', bundles, [...copied, ...page]);
execFileSync('npx', ['tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
keepPublicTypes('dist/types', ['index.d.ts', 'schema/index.d.ts']);

/** Builds the page into dist/web and returns the folders of the packages whose code is in it. */
async function buildWeb(): Promise<string[]> {
  const result = await build({ configFile: 'web/vite.config.ts', logLevel: 'warn' });
  const output = 'output' in result ? result.output : [];
  const modules = output.flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []));
  const folders = modules.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders.map((folder) => relative('.', folder)))];
}

/** Writes the licence text of every package whose code or data is in the bundle. */
function writeLicenses(file: string, bundles: readonly Metafile[], copied: readonly string[]): void {
  const inputs = bundles.flatMap((bundle) => Object.keys(bundle.inputs)).flatMap(packageFolder);
  const folders = [...new Set([...inputs, ...copied])].sort();
  writeFileSync(file, folders.map(describeLicense).join('\n'));
}

function packageFolder(input: string): string[] {
  const found = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input);
  return found ? [found[0]] : [];
}

function describeLicense(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const [text] = globSync(join(folder, '{LICENSE,LICENCE,license,licence,COPYING}*'));
  return `${name} ${version} (${license})\n\n${text ? readFileSync(text, 'utf8') : ''}\n`;
}

/** Removes declarations that no entry point reaches: they would name packages that are not installed. */
function keepPublicTypes(folder: string, entries: readonly string[]): void {
  const kept = new Set<string>();
  for (const entry of entries) addReachable(resolve(folder, entry), kept);
  for (const file of globSync(`${folder}/**/*.d.ts`)) if (!kept.has(resolve(file))) rmSync(file);
}

function addReachable(file: string, kept: Set<string>): void {
  if (kept.has(file)) return;
  kept.add(file);
  const places = readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?['"](\.[^'"]+)\.[jt]s['"]/g);
  for (const [, place = ''] of places) addReachable(resolve(dirname(file), `${place}.d.ts`), kept);
}
