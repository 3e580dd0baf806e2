import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/** Writes the licence text of every package whose code or data is in the bundle. */
export function writeLicenses(file: string, bundles: readonly Metafile[], copied: readonly string[]): void {
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
