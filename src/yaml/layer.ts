import { isAbsolute, relative, sep } from 'node:path';
import { findSpot, getIn, type Spot } from './locate.ts';
import { type ParsedYaml, parseYaml } from './parse-yaml.ts';
import { type Finding, formatPath, type LocatedProblem, type Path } from './problem.ts';
import { readTextFile } from './read-file.ts';

/** `project` is next to the agent, `user` is the user's own; `foreign` is in a working directory without the agent. */
export type LayerKind = 'overrides' | 'agent' | 'project' | 'foreign' | 'user';

/** Finds the line and column of an offset. The types of the package name no library that it does not bring. */
interface Lines {
  linePos(offset: number): { line: number; col: number };
}

/** A source of settings. Its value loses the parts that a stronger layer makes meaningless. */
export interface Layer {
  kind: LayerKind;
  /** The path as shown to people. */
  file: string;
  value: Record<string, unknown>;
  /** Absent for the command line, which has no lines. */
  text?: { spot: Spot; lines: Lines };
}

export interface ReadLayer {
  layer: Layer;
  problems: LocatedProblem[];
  isBroken: boolean;
}

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

function unreadable(file: string, read: Unreadable): Omit<ParsedYaml, 'lines'> & { lines?: Lines } {
  const { problem: message, ...place } = read;
  return { value: {}, spot: { at: 0 }, problems: [{ file, ...place, path: '', message }], isBroken: true };
}

/** Relative inside the working directory, where that is shorter. */
export function displayPath(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  return inside === '' || !isInside(path, cwd) ? path : inside;
}

export function isInside(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  return inside.split(sep)[0] !== '..' && !isAbsolute(inside);
}

/** The layer that a path's value comes from; for a missing value, the layer that holds most of its surroundings. */
function ownerOf(layers: readonly Layer[], path: Path): Layer | undefined {
  const agent = layers.find((layer) => layer.kind === 'agent');
  for (let length = path.length; length > 0; length--) {
    const part = path.slice(0, length);
    const owner = layers.find((layer) => getIn(layer.value, part) !== undefined);
    if (owner) return owner;
  }
  return agent ?? layers[0];
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
