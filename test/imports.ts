import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Maps each file to the files that it imports, all relative to a folder. */
export type ImportMap = Record<string, string[]>;

const BELOW = ['errors', 'clock', 'log', 'private-folder', 'schema', 'redaction', 'ids'];
/** The rooms that a room may import, besides itself and the rooms below all others. */
const PLAN: Record<string, readonly string[]> = {
  errors: [],
  clock: [],
  log: [],
  'private-folder': [],
  schema: [],
  redaction: [],
  ids: [],
  yaml: [],
  config: ['kinds', 'knowledge', 'yaml'],
  identity: [],
  store: [],
  telemetry: [],
  language: [],
  models: [],
  tools: ['models'],
  files: ['tools'],
  mcp: ['tools'],
  builtin: ['language', 'models'],
  agent: ['models', 'tools'],
  tasks: ['tools', 'store'],
  space: ['language', 'yaml', 'files', 'tools'],
  embeddings: ['models'],
  knowledge: ['agent', 'builtin', 'embeddings', 'files', 'language', 'models', 'tools'],
  kinds: ['language', 'mcp', 'space', 'store', 'tasks', 'team', 'tools', 'yaml'],
  team: ['agent', 'models', 'store', 'tools'],
  routing: ['agent', 'builtin', 'language', 'tools', 'models'],
  runtime: [
    'agent',
    'builtin',
    'files',
    'identity',
    'kinds',
    'knowledge',
    'language',
    'mcp',
    'models',
    'routing',
    'space',
    'store',
    'team',
    'telemetry',
    'tools',
    'yaml',
  ],
  evals: ['runtime', 'config', 'kinds', 'knowledge', 'yaml', 'identity', 'language', 'models', 'tools'],
  server: ['runtime', 'kinds', 'yaml', 'evals', 'identity', 'agent', 'tools', 'store'],
  cli: [
    'runtime',
    'config',
    'kinds',
    'knowledge',
    'embeddings',
    'yaml',
    'evals',
    'identity',
    'mcp',
    'server',
    'space',
    'store',
    'tasks',
    'tools',
  ],
  library: ['config', 'identity', 'runtime', 'server', 'tools', 'yaml'],
  index: ['config', 'identity', 'library', 'models', 'runtime', 'store', 'tools'],
};

export function readImports(folder: string, pattern = '**/*.ts'): ImportMap {
  const files = globSync(pattern, { cwd: folder }).filter((file) => !isTestFile(file));
  return Object.fromEntries(files.map((file) => [file, importsOf(join(folder, file), file)]));
}

export function findWrongArrows(imports: ImportMap): string[] {
  return Object.entries(imports).flatMap(([file, targets]) => {
    const room = roomOf(file);
    const allowed = PLAN[room];
    if (!allowed) return [`${file}: the room ${room} is not in the plan`];
    const isWrong = (target: string) => ![room, ...below(room), ...allowed].includes(roomOf(target));
    return targets.filter(isWrong).map((target) => `${file} → ${target}: ${room} may not import ${roomOf(target)}`);
  });
}

/** Finds groups of files that reach each other, by depth-first search. Type imports count too. */
export function findCycles(imports: ImportMap): string[][] {
  const cycles = new Map<string, string[]>();
  const done = new Set<string>();
  const walk = (file: string, path: string[]): void => {
    const start = path.indexOf(file);
    if (start >= 0) {
      const cycle = path.slice(start).sort();
      cycles.set(cycle.join(), cycle);
      return;
    }
    if (done.has(file)) return;
    for (const target of imports[file] ?? []) walk(target, [...path, file]);
    done.add(file);
  };
  for (const file of Object.keys(imports)) walk(file, []);
  return [...cycles.values()];
}

/** Returns the arrows of the plan that no import uses. */
export function findUnusedArrows(imports: ImportMap): string[] {
  const used = new Set(roomArrows(imports).map(({ from, to }) => `${from} → ${to}`));
  const planned = Object.entries(PLAN).flatMap(([room, targets]) => targets.map((target) => `${room} → ${target}`));
  return planned.filter((arrow) => !used.has(arrow));
}

/** Returns every arrow between two rooms, once. Rooms that everyone may import are left out. */
export function roomArrows(imports: ImportMap): { from: string; to: string }[] {
  const arrows = Object.entries(imports).flatMap(([file, targets]) =>
    targets.map((target) => ({ from: roomOf(file), to: roomOf(target) })),
  );
  const others = arrows.filter(({ from, to }) => from !== to && !BELOW.includes(from) && !BELOW.includes(to));
  return [...new Map(others.map((arrow) => [`${arrow.from} ${arrow.to}`, arrow])).values()];
}

/** Returns each pair of sub-rooms of one folder, at any depth, that import each other, such as `server/rest ↔ server/stream`. */
export function findSubroomCycles(imports: ImportMap): string[] {
  const arrows = new Set(
    Object.entries(imports).flatMap(([file, targets]) => targets.map((target) => subroomArrow(file, target))),
  );
  const pairs = [...arrows].flatMap((arrow) => {
    const [from = '', to = ''] = arrow.split(' ');
    return from < to && arrows.has(`${to} ${from}`) ? [`${from} ↔ ${to}`] : [];
  });
  return pairs.sort();
}

/** The arrow between the folders at which two paths part; empty between rooms, and for a file beside a folder. */
function subroomArrow(file: string, target: string): string {
  const [from = [], to = []] = [file, target].map((path) => path.split('/').slice(0, -1));
  const depth = from.findIndex((part, index) => part !== to[index]);
  if (depth < 1 || depth >= to.length) return '';
  return `${from.slice(0, depth + 1).join('/')} ${to.slice(0, depth + 1).join('/')}`;
}

function below(room: string): string[] {
  const place = BELOW.indexOf(room);
  return place < 0 ? BELOW : BELOW.slice(0, place);
}

function roomOf(file: string): string {
  return (file.split('/', 1)[0] ?? '').replace(/\.ts$/, '');
}

export function isTestFile(file: string): boolean {
  return /\.test\.tsx?$|-contract\.ts$|(^|\/)(contract|fixtures)\/|-fixture\.ts$/.test(file);
}

function importsOf(path: string, file: string): string[] {
  const text = readFileSync(path, 'utf8');
  const found = text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.tsx?)'/g);
  return [...new Set([...found].map((match) => normalize(join(dirname(file), String(match[1])))))];
}

/** Expressions that read the time or make an id. */
const SOURCES =
  /\bnew Date\(\)|\bDate\.now\(|\bperformance\.now\(|\bhrtime\b|\brandomUUID\(|\brandomBytes\(|\bgetRandomValues\(|\bnewUlid\(/g;
/**
 * `clock.ts` and `ids.ts` are the sources. The others run beside the program (in a child, a worker, a busy wait), or make
 * secrets, which must never repeat.
 */
const MAY_READ = [
  'clock.ts',
  'ids.ts',
  'schema/new-ulid.ts',
  'files/job/used-time.ts',
  'mcp/oauth/random-secret.ts',
  'store/sqlite/checkpoint-worker.ts',
  'store/sqlite/retry-busy.ts',
];

/** The real clock and the real ids. Only code that assembles parts, or shows and logs, may name them. */
const SYSTEM = /\bsystem(?:Clock|Ids)\b/;
const MAY_NAME = [
  /^(?:clock|ids)\.ts$/,
  /^(?:cli|server|telemetry|identity|mcp)\//,
  /^runtime\/(?:runtime|run-agent)\.ts$/,
  // Names of temporary files and the timing of the disk: no recorded run repeats them.
  /^runtime\/files\/attached-file\.ts$/,
  /^store\/sqlite\/checkpoints\.ts$/,
  // Defaults of options that the assembly sets.
  /^agent\/run-stateless\.ts$/,
  /^files\/file-reader\.ts$/,
  /^models\/(?:create-model|retry|scripted|providers\/chat-model)\.ts$/,
  /^store\/(?:sqlite\/sqlite|postgres\/postgres)-store\.ts$/,
  /^tasks\/(?:sqlite|postgres)-task-store\.ts$/,
  /^tools\/functions\/function-tools\.ts$/,
];

/** Returns every place in a folder that makes its own time or ids in place of taking them as a dependency. */
export function findOwnTimeAndIds(folder: string): string[] {
  const files = globSync('**/*.ts', { cwd: folder }).filter((file) => !isTestFile(file));
  return files.sort().flatMap((file) => findIn(file, readFileSync(join(folder, file), 'utf8')));
}

/** Returns the places of one file, without its comments. */
export function findIn(file: string, text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').replace(/^export function newUlid\(/m, '');
  const raw = MAY_READ.includes(file) ? [] : [...code.matchAll(SOURCES)].map(([found]) => `${file}: ${found}`);
  const named = SYSTEM.test(code) && !MAY_NAME.some((allowed) => allowed.test(file));
  return named ? [...raw, `${file}: names the system's clock or ids`] : raw;
}
