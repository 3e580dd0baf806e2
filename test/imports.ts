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
  config: ['kinds', 'yaml'],
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
  space: ['language', 'builtin', 'yaml', 'files', 'tools', 'models'],
  knowledge: ['agent', 'builtin', 'files', 'language', 'models', 'tools'],
  kinds: ['language', 'mcp', 'models', 'space', 'store', 'tasks', 'tools', 'yaml'],
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
    'telemetry',
    'tools',
    'yaml',
  ],
  evals: ['runtime', 'config', 'kinds', 'yaml', 'identity', 'language', 'models', 'tools'],
  server: ['runtime', 'kinds', 'yaml', 'evals', 'identity', 'agent', 'tools', 'store'],
  cli: [
    'runtime',
    'config',
    'kinds',
    'knowledge',
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
  index: ['config', 'identity', 'models', 'runtime', 'store', 'tools'],
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
