import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isInside, type Layer, type ReadLayer, readLayer } from '../yaml/layer.ts';
import { getIn } from '../yaml/locate.ts';
import { isRecord } from '../yaml/parse-yaml.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads the project's settings (`holodeck.yaml` beside agent.yaml, else in the working directory) and the user's own
 * (`holodeck/config.yaml` in $XDG_CONFIG_HOME or ~/.config), strongest first.
 */
export async function readConfigLayers(folder: string, cwd: string, env: Variables): Promise<ReadLayer[]> {
  const beside = await readLayer(join(folder, 'holodeck.yaml'), 'project', cwd);
  const kind = isInside(folder, await realpath(cwd).catch(() => cwd)) ? 'project' : 'foreign';
  const project = beside ?? (await readLayer(join(cwd, 'holodeck.yaml'), kind, cwd));
  const path = userConfigPath(env);
  const user = path ? await readLayer(path, 'user', cwd) : undefined;
  return [project, user].filter((layer) => layer !== undefined);
}

/** The file with the user's own settings; undefined without a home folder. */
export function userConfigPath(env: Variables): string | undefined {
  const home = env.HOME || env.USERPROFILE;
  const base = env.XDG_CONFIG_HOME || (home && join(home, '.config'));
  return base ? join(base, 'holodeck', 'config.yaml') : undefined;
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
export const OF_PROVIDER: readonly string[] = ['provider', 'name', 'endpoint', 'api_key', 'headers', 'extra_body'];

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

function replaceIn(value: Record<string, unknown>, path: readonly string[], block: unknown): Record<string, unknown> {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const inner = value[first];
  return { ...value, [first]: rest.length === 0 || !isRecord(inner) ? block : replaceIn(inner, rest, block) };
}
