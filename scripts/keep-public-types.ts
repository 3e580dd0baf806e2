import { globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Removes declarations that no entry point reaches: they would name packages that are not installed. */
export function keepPublicTypes(folder: string, entries: readonly string[]): void {
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
