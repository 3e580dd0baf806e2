import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** File → the files that it imports, all relative to one folder. */
export type ImportMap = Record<string, string[]>;

const BELOW = ['errors', 'clock', 'log', 'private-folder', 'schema'];
/** Which rooms a room may import, beside itself and what stands below all of them. */
const PLAN: Record<string, readonly string[]> = {
  errors: [],
  clock: [],
  log: [],
  'private-folder': [],
  schema: [],
  config: [],
  identity: [],
  store: [],
  telemetry: [],
  models: [],
  tools: ['models'],
  files: ['tools'],
  mcp: ['tools', 'models'],
  builtin: ['models', 'tools'],
  agent: ['models', 'tools', 'builtin', 'mcp'],
  tasks: ['tools', 'store'],
  space: ['builtin', 'config', 'files', 'tools', 'store', 'models'],
  routing: ['agent', 'builtin', 'tools', 'models'],
  runtime: [
    'agent',
    'builtin',
    'config',
    'files',
    'identity',
    'mcp',
    'models',
    'routing',
    'space',
    'store',
    'tasks',
    'telemetry',
    'tools',
  ],
  server: ['runtime', 'config', 'identity', 'agent', 'tools', 'store'],
  cli: ['runtime', 'config', 'identity', 'mcp', 'server', 'space', 'store', 'tasks', 'tools'],
  index: ['agent', 'config', 'identity', 'models', 'runtime', 'store', 'tools'],
};

export function readImports(folder: string): ImportMap {
  const files = globSync('**/*.ts', { cwd: folder }).filter((file) => !isTestFile(file));
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

/** Each group of files that reach each other, by depth-first search; type imports count too. */
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

function below(room: string): string[] {
  const place = BELOW.indexOf(room);
  return place < 0 ? BELOW : BELOW.slice(0, place);
}

function roomOf(file: string): string {
  return (file.split('/', 1)[0] ?? '').replace(/\.ts$/, '');
}

function isTestFile(file: string): boolean {
  return /\.test\.ts$|-contract\.ts$|(^|\/)(contract|fixtures)\/|-fixture\.ts$/.test(file);
}

function importsOf(path: string, file: string): string[] {
  const text = readFileSync(path, 'utf8');
  const found = text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.ts)'/g);
  return [...new Set([...found].map((match) => normalize(join(dirname(file), String(match[1])))))];
}
