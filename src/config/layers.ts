import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { LineCounter } from 'yaml';
import { findSpot, type Spot } from './locate.ts';
import { isRecord, type ParsedYaml, parseYaml } from './parse-yaml.ts';
import { type Finding, formatPath, type LocatedProblem, type Path } from './problem.ts';
import { readTextFile } from './read-file.ts';

/** `project` is next to the agent, `user` is the user's own; `foreign` is in a working directory without the agent. */
export type LayerKind = 'overrides' | 'agent' | 'project' | 'foreign' | 'user';

/** A source of settings. Its value loses the parts that a stronger layer makes meaningless. */
export interface Layer {
  kind: LayerKind;
  /** The path as shown to people. */
  file: string;
  value: Record<string, unknown>;
  /** Absent for the command line, which has no lines. */
  text?: { spot: Spot; lines: LineCounter };
}

export interface ReadLayer {
  layer: Layer;
  problems: LocatedProblem[];
  isBroken: boolean;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Reads a YAML file as a layer; undefined if there is none. */
export async function readLayer(path: string, kind: LayerKind, cwd: string): Promise<ReadLayer | undefined> {
  const file = displayPath(path, cwd);
  const read = await readTextFile(path);
  if (read === 'missing' || read === 'folder') return undefined;
  const parsed = 'text' in read ? parseYaml(read.text, file) : unreadable(file, read);
  const { value, spot, lines, problems, isBroken } = parsed;
  return { layer: { kind, file, value, ...(lines && { text: { spot, lines } }) }, problems, isBroken };
}

type Unreadable = { problem: string; line?: number; column?: number };

function unreadable(file: string, read: Unreadable): Omit<ParsedYaml, 'lines'> & { lines?: LineCounter } {
  const { problem: message, ...place } = read;
  return { value: {}, spot: { at: 0 }, problems: [{ file, ...place, path: '', message }], isBroken: true };
}

/**
 * Reads the project's settings (`holodeck.yaml` beside agent.yaml, else in the working directory) and the user's own
 * (`holodeck/config.yaml` in $XDG_CONFIG_HOME or ~/.config), strongest first.
 */
export async function readConfigLayers(folder: string, cwd: string, env: Variables): Promise<ReadLayer[]> {
  const beside = await readLayer(join(folder, 'holodeck.yaml'), 'project', cwd);
  const kind = isInside(folder, await realpath(cwd).catch(() => cwd)) ? 'project' : 'foreign';
  const project = beside ?? (await readLayer(join(cwd, 'holodeck.yaml'), kind, cwd));
  const home = env.HOME || env.USERPROFILE;
  const base = env.XDG_CONFIG_HOME || (home && join(home, '.config'));
  const user = base ? await readLayer(join(base, 'holodeck', 'config.yaml'), 'user', cwd) : undefined;
  return [project, user].filter((layer) => layer !== undefined);
}

/** Relative inside the working directory, where that is shorter. */
export function displayPath(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  return inside === '' || !isInside(path, cwd) ? path : inside;
}

function isInside(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  return inside.split(sep)[0] !== '..' && !isAbsolute(inside);
}

/** Merges all layers, strongest first: maps are merged, other values are replaced. */
export function mergeLayers(layers: readonly Layer[]): Record<string, unknown> {
  return layers.toReversed().reduce<Record<string, unknown>>((below, layer) => merge(below, layer.value), {});
}

function merge(below: Record<string, unknown>, above: Record<string, unknown>): Record<string, unknown> {
  const result = { ...below };
  for (const [key, value] of Object.entries(above)) {
    if (value === undefined) continue;
    const under = result[key];
    result[key] = isRecord(value) && isRecord(under) ? merge(under, value) : value;
  }
  return result;
}

/** Settings that belong to one provider. Headers may contain a key. */
const OF_PROVIDER: readonly string[] = ['provider', 'name', 'endpoint', 'api_key', 'headers', 'extra_body'];

/** A layer with another provider does not inherit the settings of the provider below. */
export function separateProviders(layers: readonly Layer[]): Layer[] {
  const separated = [...layers];
  for (const path of [['model'], ['model', 'fallback']]) {
    let provider: unknown;
    for (const [index, layer] of separated.entries()) {
      const block = getIn(layer.value, path);
      if (!isRecord(block)) continue;
      if (provider !== undefined && block.provider !== undefined && block.provider !== provider) {
        const rest = Object.entries(block).filter(([key]) => !OF_PROVIDER.includes(key));
        separated[index] = { ...layer, value: replaceIn(layer.value, path, Object.fromEntries(rest)) };
      }
      provider ??= block.provider;
    }
  }
  return separated;
}

export function getIn(value: unknown, path: Path): unknown {
  let found = value;
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as Record<string | number, unknown>)[step]; // an own key of an object, as checked above
  }
  return found;
}

function replaceIn(value: Record<string, unknown>, path: readonly string[], block: unknown): Record<string, unknown> {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const inner = value[first];
  return { ...value, [first]: rest.length === 0 || !isRecord(inner) ? block : replaceIn(inner, rest, block) };
}

/** The layer that a path's value comes from; for a missing value, the layer that holds most of its surroundings. */
function ownerOf(layers: readonly Layer[], path: Path): Layer | undefined {
  const agent = layers.find((layer) => layer.kind === 'agent');
  for (let length = path.length; length > 0; length--) {
    const part = path.slice(0, length);
    const owner = layers.find((layer) => getIn(layer.value, part) !== undefined);
    if (owner) return owner;
  }
  return agent;
}

/** Adds file, line and column to a finding. Pass `layer` if it is known. */
export function locateFinding(
  finding: Finding,
  layers: readonly Layer[],
  layer: Layer | undefined = ownerOf(layers, finding.path),
): LocatedProblem {
  const path = formatPath(finding.path);
  const { message } = finding;
  if (!layer?.text) return { file: layer?.file ?? 'agent.yaml', path, message };
  const { offset } = findSpot(layer.text.spot, finding.path, finding.onKey);
  const { line, col } = layer.text.lines.linePos(offset);
  return { file: layer.file, line, column: col, path, message };
}
