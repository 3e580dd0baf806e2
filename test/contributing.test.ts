import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const PAGE = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const [, recipes = ''] = /\n## Recipes\n([\s\S]*?)\n## /.exec(PAGE) ?? [];

/** True if a file, or the files of a folder together, contain a name. */
function hasName(path: string, name: string): boolean {
  return readFileSync(join(ROOT, path), 'utf8').includes(name);
}

describe('CONTRIBUTING.md', () => {
  const paths = [...PAGE.matchAll(/`((?:src|test|docs|agents|examples|bench)\/[\w./-]+|vitest\.config\.ts)`/g)];
  const tables = [...PAGE.matchAll(/`([\w./-]+\.ts)`\s+\(`([\w.]+)`\)/g)];

  it('names files and folders that exist', () => {
    expect(paths.length).toBeGreaterThan(40);
    expect(paths.map((match) => String(match[1])).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('names tables and functions that their files have', () => {
    expect(tables.length).toBeGreaterThan(10);
    const named = tables.map(([, path = '', name = '']) => ({ path, name }));
    expect(named.filter(({ path, name }) => !hasName(path, name))).toEqual([]);
  });

  it('has the recipes, each with a file to write or a table to extend', () => {
    const titles = [...recipes.matchAll(/^### (.+)$/gm)].map((match) => match[1]);
    expect(titles).toEqual([
      'Add a provider',
      'Add a store',
      'Add a kind of tool',
      'Add a plugin of the loop',
      'Add a front',
      'Add a file type',
      'Add a command',
    ]);
    const parts = recipes.split(/^### /m).slice(1);
    expect(parts.filter((part) => !/\.ts`\s+\(`\w+`\)/.test(part))).toEqual([]);
  });

  it('has every room and sub-room on its map', () => {
    const rows = [...PAGE.matchAll(/^\| `src\/(\w+)` \| [^|]+ \|(.*)\|$/gm)];
    const shown = rows.flatMap(([, room = '', inner = '']) => [
      room,
      ...[...inner.matchAll(/`([\w-]+)`/g)].map((match) => `${room}/${match[1]}`),
    ]);
    const isRoom = (folder: string) => !/(^|\/)(data|fixtures|operations)$/.test(folder);
    const folders = globSync('src/{*,*/*}/', { cwd: ROOT }).map((path) => path.replace(/^src\/|\/$/g, ''));
    expect(shown.toSorted()).toEqual(folders.filter(isRoom).toSorted());
  });

  it('names scripts that package.json has', () => {
    const named = [...PAGE.matchAll(/npm run ([\w:]+)/g)].map((match) => String(match[1]));
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

describe('package.json', () => {
  it('has at most 20 scripts', () => {
    expect(Object.keys(scripts).length).toBeLessThanOrEqual(20);
  });

  it('has every script that a page, a comment or a script names', () => {
    const files = globSync(['*.md', '{docs,bench,scripts,src,test,web,deploy,.ci}/**/*.{md,ts,tsx,js}', '.ci/run'], {
      cwd: ROOT,
      exclude: ['**/node_modules/**', '**/fixtures/**', 'test/contributing.test.ts'],
    });
    const unknown = files.flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(/npm run ([\w:]+)/g)]
        .filter(([, name = '']) => !(name in scripts))
        .map(([words]) => `${file}: ${words}`),
    );
    expect(unknown).toEqual([]);
  });
});
