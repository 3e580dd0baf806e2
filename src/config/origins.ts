import { Provider, providerFacts } from '../schema/provider.ts';
import { type Layer, locateFinding } from '../yaml/layer.ts';
import { findPaths, getIn } from '../yaml/locate.ts';
import { isRecord } from '../yaml/parse-yaml.ts';
import type { LocatedProblem, Path } from '../yaml/problem.ts';
import { usesVariable } from './fill-env.ts';

export interface Origins {
  problems: LocatedProblem[];
  /** Allowed, but reported to the user. */
  warnings: LocatedProblem[];
}

/** Settings that receive a secret, and the secrets that they receive. A header may be both. */
interface Bundle {
  addresses: Path[];
  secrets: Path[];
  /** The secret's name for people. */
  secret: string;
}

/** Settings that name a receiver, or allow access. */
const ADDRESSES: readonly string[] = [
  'model.endpoint',
  'model.headers',
  'model.fallback.endpoint',
  'model.fallback.headers',
  'observability.otlp_endpoint',
  'server.auth',
  'server.cors_origins',
  'server.allowed_hosts',
  'database',
];

/**
 * Checks that no file redirects a secret of another file: an address must come from the same layer as the key that it
 * receives, or from the user's own settings. A `holodeck.yaml` in a working directory without the agent may not set any
 * address.
 */
export function checkOrigins(layers: readonly Layer[]): Origins {
  const foreign = layers.filter(({ kind }) => kind === 'foreign').flatMap((layer) => findAddresses(layer, layers));
  const mixed = findBundles(layers).flatMap((bundle) => findMixed(bundle, layers));
  const isOwn = ({ layer }: Mixed) => layer.kind === 'user' || layer.kind === 'overrides';
  const locate = ({ path, layer }: Mixed, message: string) => locateFinding({ path, message }, layers, layer);
  const announced = mixed.filter((one) => isOwn(one) && one.path.at(-1) === 'endpoint');
  return {
    problems: [...foreign, ...mixed.filter((one) => !isOwn(one)).map((one) => locate(one, refusal(one)))],
    warnings: announced.map((one) => locate(one, `receives the ${one.secret} that comes from ${one.secretLayer.file}`)),
  };
}

function findAddresses(layer: Layer, layers: readonly Layer[]): LocatedProblem[] {
  const message =
    'the working directory must not decide this for an agent elsewhere; put it into holodeck.yaml beside the agent, or into your own ~/.config/holodeck/config.yaml';
  return findPaths(layer.value, ADDRESSES).map((path) => locateFinding({ path, message }, layers, layer));
}

function findBundles(layers: readonly Layer[]): Bundle[] {
  const models = [['model'], ['model', 'fallback']].map((path) => {
    const headers = findHeaders([...path, 'headers'], layers);
    const secrets = [keyPath(path, layers), ...headers.filter((header) => isSecret(header, layers))];
    return { addresses: [[...path, 'endpoint'], ...headers], secrets, secret: 'key' };
  });
  const capture = ['observability', 'capture_content'];
  const isCaptured = ownerOf(capture, layers)?.value === true;
  const traces = { addresses: [['observability', 'otlp_endpoint']], secrets: [capture], secret: 'captured content' };
  return isCaptured ? [...models, traces] : models;
}

/** A key that no file names is the usual one of the provider, so it belongs to the file that names the provider. */
function keyPath(path: Path, layers: readonly Layer[]): Path {
  const key = [...path, 'api_key'];
  const provider = Provider.safeParse(ownerOf([...path, 'provider'], layers)?.value);
  const isUsual = provider.success && providerFacts(provider.data).keyVariables !== undefined;
  return isUsual && !ownerOf(key, layers) ? [...path, 'provider'] : key;
}

function findHeaders(path: Path, layers: readonly Layer[]): Path[] {
  const maps = layers.map(({ value }) => getIn(value, path)).filter(isRecord);
  return [...new Set(maps.flatMap(Object.keys))].map((name) => [...path, name]);
}

/** A file writes secrets only as variables. */
function isSecret(path: Path, layers: readonly Layer[]): boolean {
  const value = ownerOf(path, layers)?.value;
  return typeof value === 'string' && usesVariable(value);
}

/** An address whose secret comes from another layer. */
interface Mixed {
  path: Path;
  layer: Layer;
  secret: string;
  secretLayer: Layer;
}

function findMixed({ addresses, secrets, secret }: Bundle, layers: readonly Layer[]): Mixed[] {
  const owners = secrets.flatMap((path) => ownerOf(path, layers)?.layer ?? []);
  return addresses.flatMap((path) => {
    const layer = ownerOf(path, layers)?.layer;
    const secretLayer = owners.find((owner) => owner !== layer);
    return layer && secretLayer ? [{ path, layer, secret, secretLayer }] : [];
  });
}

/** The strongest layer that sets a value. */
function ownerOf(path: Path, layers: readonly Layer[]): { layer: Layer; value: unknown } | undefined {
  return layers.map((layer) => ({ layer, value: getIn(layer.value, path) })).find(({ value }) => value !== undefined);
}

function refusal({ secret, secretLayer }: Mixed): string {
  return `the ${secret} comes from ${secretLayer.file}; write both in the same file, so that no file can redirect the ${secret} of another`;
}
