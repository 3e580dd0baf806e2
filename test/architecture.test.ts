import { globSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findCycles, findWrongArrows, type ImportMap, readImports } from './imports.ts';

const ROOT = join(import.meta.dirname, '..');
const SOURCE = join(ROOT, 'src');
const MAX_LINES = 500;

describe('the rooms of src/', () => {
  const imports = readImports(SOURCE);

  it('import rightwards only', () => {
    expect(findWrongArrows(imports)).toEqual([]);
  });

  it('have no cycles between files', () => {
    expect(findCycles(imports)).toEqual([]);
  });

  it('hold no file over 500 lines', () => {
    const files = globSync(['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.ts'], { cwd: ROOT });
    const long = files.filter((file) => readFileSync(join(ROOT, file), 'utf8').split('\n').length > MAX_LINES);
    expect(long).toEqual([]);
  });

  it('are named for a concept', () => {
    const named = Object.keys(imports).map((file) => relative(SOURCE, resolve(SOURCE, file)));
    expect(named.filter((file) => /(^|\/)(utils?|lib|common|helpers?|core|manager)(\/|\.)/.test(file))).toEqual([]);
  });
});

describe('findWrongArrows', () => {
  const of = (imports: ImportMap) => findWrongArrows(imports);

  it('finds an import that goes the wrong way', () => {
    const imports = readImports(join(import.meta.dirname, 'fixtures', 'wrong-arrow'));
    expect(of(imports)).toEqual(['schema/message.ts → server/app.ts: schema may not import server']);
    expect(findCycles(imports)).toEqual([['schema/message.ts', 'server/app.ts']]);
  });

  it('lets a room import itself, what is right of it, and what everyone may', () => {
    expect(
      of({ 'agent/loop.ts': ['agent/prompt.ts', 'models/model.ts', 'schema/json.ts', 'errors.ts', 'clock.ts'] }),
    ).toEqual([]);
  });

  it('refuses a room that nobody has placed', () => {
    expect(of({ 'misc/a.ts': ['errors.ts'] })).toEqual(['misc/a.ts: the room misc is not in the plan']);
  });
});
