import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { measureSource } from '../scripts/architecture.ts';
import {
  findCycles,
  findIn,
  findOwnTimeAndIds,
  findSubroomCycles,
  findUnusedArrows,
  findWrongArrows,
  type ImportMap,
  readImports,
} from './imports.ts';

const ROOT = join(import.meta.dirname, '..');
const SOURCE = join(ROOT, 'src');
const MAX_LINES = 500;
/**
 * Lines of each room, without tests. The numbers only go down, by hand: a room that needs more gives something up. What is
 * inside of `builtin/tools` counts there and not in `builtin`.
 */
const BUDGETS: Readonly<Record<string, number>> = {
  agent: 2_970,
  builtin: 5_678,
  'builtin/tools': 3_179,
  cli: 7_451,
  config: 1_699,
  embeddings: 249,
  evals: 3_852,
  files: 3_419,
  identity: 289,
  kinds: 820,
  knowledge: 4_000,
  language: 2_150,
  library: 464,
  mcp: 4_326,
  models: 3_827,
  redaction: 595,
  routing: 3_990,
  runtime: 7_492,
  schema: 3_164,
  server: 9_510,
  space: 7_749,
  'space/import': 249,
  store: 5_880,
  tasks: 1_255,
  team: 1_077,
  telemetry: 916,
  tools: 3_492,
  yaml: 826,
};
/** The sum of the budgets. A room that needs more takes it from another one. */
const ALL_ROOMS = 90_568;
/** Limits of a fresh clone without its history. */
const CLONE = { files: 1_900, bytes: 45_000_000 };
/** Limits of the source; tests may be longer. */
const LIMITS = { fileLines: 300, functionLines: 80, folderFiles: 25 };
/** Sub-rooms that import each other. The list may only become shorter. */
const KNOWN_PAIRS = [
  'builtin/files ↔ builtin/tools',
  'files/job ↔ files/office',
  'files/job ↔ files/pdf',
  'files/job ↔ files/picture',
  'mcp/client ↔ mcp/supervise',
  'runtime/files ↔ runtime/turn',
  'runtime/live ↔ runtime/turn',
  'server/agui ↔ server/rest',
  'server/http ↔ server/rest',
  'server/http ↔ server/stream',
  'server/rest ↔ server/stream',
];

describe('the rooms of src/', () => {
  const imports = readImports(SOURCE);

  it('import rightwards only', () => {
    expect(findWrongArrows(imports)).toEqual([]);
  });

  it('have no cycles between files', () => {
    expect(findCycles(imports)).toEqual([]);
  });

  it('use every arrow of the plan', () => {
    expect(findUnusedArrows(imports)).toEqual([]);
  });

  it('have sub-rooms that import in one direction', () => {
    expect(findSubroomCycles(imports)).toEqual(KNOWN_PAIRS);
  });

  it('ask the table of kinds, never an entry for its type, transport or server', () => {
    const files = globSync('{cli,config,evals,index,runtime,server}/**/*.ts', { cwd: SOURCE });
    const asks = /\b(?:tool|entry|config|server)\??\.(?:type|transport|server) [!=]== '/;
    expect(files.filter((file) => asks.test(readFileSync(join(SOURCE, file), 'utf8')))).toEqual([]);
  });

  it('hold no file over 500 lines', () => {
    const files = globSync(['{src,test,bench,scripts}/**/*.ts', 'web/**/*.{ts,tsx,css}'], { cwd: ROOT });
    const long = files.filter((file) => readFileSync(join(ROOT, file), 'utf8').split('\n').length > MAX_LINES);
    expect(long).toEqual([]);
  });

  it('are named for a concept', () => {
    const named = Object.keys(imports).map((file) => relative(SOURCE, resolve(SOURCE, file)));
    expect(named.filter((file) => /(^|\/)(utils?|lib|common|helpers?|core|manager)(\/|\.)/.test(file))).toEqual([]);
  });
});

describe('the page in web/', () => {
  const MAX_COMPONENT_LINES = 120;
  const files = globSync('web/**/*.{ts,tsx}', { cwd: ROOT });
  const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

  it('imports nothing of src/ but types of the schema', () => {
    const wrong = files
      .filter((file) => !file.endsWith('.test.ts'))
      .flatMap((file) => read(file).match(/^(?:import|export)[^;]*'(?:\.\.\/)+(?:src|test|scripts)\/[^']*'/gm) ?? [])
      .filter((line) => !/^import type .*\/src\/schema\/[\w/-]+\.ts'$/s.test(line));
    expect(wrong).toEqual([]);
  });

  it('has no cycles between files', () => {
    expect(findCycles(readImports(join(ROOT, 'web'), '**/*.{ts,tsx}'))).toEqual([]);
  });

  it('makes elements only: no text is ever read as HTML or as code', () => {
    const sinks =
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|\beval\(|new Function\b|createContextualFragment/i;
    expect(files.filter((file) => sinks.test(read(file)))).toEqual([]);
  });

  it('holds at most 120 lines in a file of components', () => {
    const long = files.filter((file) => file.endsWith('.tsx') && read(file).split('\n').length > MAX_COMPONENT_LINES);
    expect(long).toEqual([]);
  });
});

describe('the sizes of src/ and web/', () => {
  const { files, functions, folders } = measureSource(ROOT);

  it('have no file over 300 lines', () => {
    expect(files.filter(({ lines }) => lines > LIMITS.fileLines)).toEqual([]);
  });

  it('have no function over 80 lines', () => {
    expect(functions.filter(({ lines }) => lines > LIMITS.functionLines)).toEqual([]);
  });

  it('keep every room within its budget', () => {
    const roomOf = (file: string) =>
      Object.keys(BUDGETS)
        .filter((room) => file.startsWith(`src/${room}/`))
        .sort((a, b) => b.length - a.length)[0];
    const inRooms = files.filter(({ file }) => /^src\/[^/]+\//.test(file));
    const rooms = Map.groupBy(inRooms, ({ file }) => roomOf(file) ?? 'no room');
    const over = [...rooms].flatMap(([room, own]) => {
      const lines = own.reduce((sum, file) => sum + file.lines, 0);
      return lines > (BUDGETS[room] ?? 0) ? [`${room}: ${lines}`] : [];
    });
    expect(over).toEqual([]);
  });

  it('give one room lines of another only: the budgets together do not grow', () => {
    expect(Object.values(BUDGETS).reduce((sum, lines) => sum + lines, 0)).toBeLessThanOrEqual(ALL_ROOMS);
  });

  it('have no folder with more than 25 source files', () => {
    expect(folders.filter(({ files }) => files > LIMITS.folderFiles)).toEqual([]);
  });
});

/** The files of a fresh clone. Without a checkout, every file outside of the folders that programs write. */
function clonedFiles(): string[] {
  if (existsSync(join(ROOT, '.git'))) {
    const listed = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
    return listed.filter((file) => file !== '' && existsSync(join(ROOT, file)));
  }
  const exclude = ['**/{node_modules,dist,coverage,site,.holodeck,scratch}/**', '**/*.log', '.env'];
  return globSync(['**/*', '**/.*', '.*/**/*'], { cwd: ROOT, exclude }).filter((file) =>
    statSync(join(ROOT, file)).isFile(),
  );
}

describe('a fresh clone', () => {
  const files = clonedFiles();

  it(`has at most ${CLONE.files} files`, () => {
    expect(files.length).toBeGreaterThan(1_000);
    expect(files.length).toBeLessThanOrEqual(CLONE.files);
  });

  it(`has at most ${CLONE.bytes / 1e6} MB`, () => {
    const bytes = files.reduce((sum, file) => sum + statSync(join(ROOT, file)).size, 0);
    expect(bytes).toBeLessThanOrEqual(CLONE.bytes);
  });
});

describe('time and ids', () => {
  it('come in as dependencies', () => {
    expect(findOwnTimeAndIds(SOURCE)).toEqual([]);
  });

  it.each([
    ['agent/loop.ts', 'const at = new Date();', ['agent/loop.ts: new Date()']],
    ['server/app.ts', 'const id = randomUUID();', ['server/app.ts: randomUUID(']],
    ['agent/loop.ts', 'const { clock = systemClock } = deps;', ["agent/loop.ts: names the system's clock or ids"]],
    ['agent/loop.ts', '// new Date() is read elsewhere\nconst at = deps.clock.date();', []],
    ['clock.ts', 'const at = new Date();', []],
  ])('are found in %s: %s', (file, text, found) => {
    expect(findIn(file, text)).toEqual(found);
  });
});

describe('findUnusedArrows and findSubroomCycles', () => {
  it('find arrows of the plan that no file needs', () => {
    expect(findUnusedArrows({ 'tools/a.ts': ['models/b.ts'] })).not.toContain('tools → models');
    expect(findUnusedArrows({ 'tools/a.ts': ['schema/b.ts'] })).toContain('tools → models');
  });

  it('find sub-rooms that import each other, not files beside them', () => {
    const imports = { 'a/x/1.ts': ['a/y/2.ts', 'a/3.ts'], 'a/y/2.ts': ['a/x/4.ts'], 'a/3.ts': ['a/x/1.ts'] };
    expect(findSubroomCycles(imports)).toEqual(['a/x ↔ a/y']);
    const deep = { 'a/x/p/1.ts': ['a/x/q/2.ts'], 'a/x/q/3.ts': ['a/x/p/4.ts'] };
    expect(findSubroomCycles(deep)).toEqual(['a/x/p ↔ a/x/q']);
  });
});

describe('the lab', () => {
  it('is imported and read by no file of the product and its tests', () => {
    const files = globSync('{src,test,web,bin,scripts,bench,examples,agents}/**/*.{ts,tsx,js,mjs,yaml}', { cwd: ROOT });
    const own = relative(ROOT, import.meta.filename);
    const reads = (file: string) =>
      /['"`/]lab\/(?:data|scripts|test|main)/.test(readFileSync(join(ROOT, file), 'utf8'));
    expect(files.filter((file) => file !== own && !file.includes('node_modules') && reads(file))).toEqual([]);
  });
});

describe('findWrongArrows', () => {
  const of = (imports: ImportMap) => findWrongArrows(imports);

  it('finds an import that goes the wrong way', () => {
    const imports = readImports(join(import.meta.dirname, 'fixtures', 'wrong-arrow'));
    expect(of(imports)).toEqual(['schema/message.ts → server/app.ts: schema may not import server']);
    expect(findCycles(imports)).toEqual([['schema/message.ts', 'server/app.ts']]);
  });

  it('lets a room import itself, rooms to its right, and shared files', () => {
    expect(
      of({ 'agent/loop.ts': ['agent/prompt.ts', 'models/model.ts', 'schema/json.ts', 'errors.ts', 'clock.ts'] }),
    ).toEqual([]);
  });

  it('refuses a room that is not in the plan', () => {
    expect(of({ 'misc/a.ts': ['errors.ts'] })).toEqual(['misc/a.ts: the room misc is not in the plan']);
  });
});
