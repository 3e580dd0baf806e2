import { existsSync, readFileSync } from 'node:fs';

const OWN = new URL('../data/builtin/', import.meta.url);
const FIXTURES = new URL('../../test/fixtures/builtin/', import.meta.url);
/** Public sets, which the repository does not hold. lab/README.md lists them with source and licence. */
const PUBLIC = new URL('../../../shared/data/', import.meta.url);

/** Finds a set of the built-in model: in the lab, among the fixtures of the tests, or next to the repository. */
export function findData(name: string): URL {
  const places = [OWN, FIXTURES].map((folder) => new URL(name, folder));
  return places.find((place) => existsSync(place)) ?? new URL(name, PUBLIC);
}

/** Returns true if a set is there; otherwise prints one line that names it. */
export function hasData(name: string): boolean {
  if (existsSync(findData(name))) return true;
  console.log(`skipped: ../shared/data/${name} is absent`);
  return false;
}

/** Reads the rows of one outside set, such as `2026-11-17d`, from a file of all of them. */
export function readSet<T>(file: URL, set: string): T[] {
  const rows = readFileSync(file, 'utf8').trim().split('\n');
  return rows.map((row) => JSON.parse(row) as T & { set: string }).filter((row) => row.set === set);
}

/** Reads a file of several parts: a line `=== name`, then the text of that part. */
export function readParts(name: string): Map<string, string> {
  const [, ...parts] = readFileSync(findData(name), 'utf8').split(/^=== /m);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]));
}
