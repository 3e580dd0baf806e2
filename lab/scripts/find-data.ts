import { existsSync } from 'node:fs';

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
