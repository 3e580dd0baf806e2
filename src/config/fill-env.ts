import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { keyVariables, Provider } from '../schema/provider.ts';
import { findPaths, getIn } from '../yaml/locate.ts';
import { isRecord } from '../yaml/parse-yaml.ts';
import type { Finding, LocatedProblem, Path } from '../yaml/problem.ts';
import { readTextFile } from '../yaml/read-file.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** The variables that a file may use: `.env` beside it, overridden by the real environment. Changes neither. */
export async function readVariables(
  folder: string,
  env: Variables,
): Promise<{ variables: Map<string, string>; problems: LocatedProblem[] }> {
  const read = await readTextFile(join(folder, '.env'));
  const variables = new Map<string, string>();
  const add = (values: Variables) => {
    for (const [name, value] of Object.entries(values)) if (value !== undefined) variables.set(name, value);
  };
  if (typeof read === 'object' && 'text' in read) add(parseEnv(read.text));
  add(env);
  const isFault = typeof read === 'object' && 'problem' in read;
  return { variables, problems: isFault ? [{ file: '.env', path: '', message: read.problem }] : [] };
}

export interface FillOptions {
  variables: ReadonlyMap<string, string>;
  /** True for values that are not filled, such as those of the command line. */
  isLiteral(path: Path): boolean;
}

export interface Filled {
  value: Record<string, unknown>;
  findings: Finding[];
  /** Paths of values that consist of a single variable. */
  whole: Path[];
}

/**
 * Fills `${NAME}` in every text value; `$${` becomes a plain `${`. Filling happens after parsing, so a value never
 * changes the shape of the document. Keys are never filled. No message contains a value.
 */
export function fillVariables(value: Record<string, unknown>, options: FillOptions): Filled {
  const findings: Finding[] = [];
  const whole: Path[] = [];
  const fill = (part: unknown, path: Path): unknown => {
    if (typeof part === 'string') {
      if (!part.includes(`\${`) || options.isLiteral(path)) return part;
      const filled = fillText(part, options.variables);
      if (filled.faults.length > 0) findings.push({ path, message: filled.faults.join('; ') });
      else if (isVariable(part)) whole.push(path);
      return filled.text;
    }
    if (Array.isArray(part)) return part.map((item, index) => fill(item, [...path, index]));
    return isRecord(part) ? fillMap(part, path) : part;
  };
  const fillMap = (map: Record<string, unknown>, path: Path) =>
    Object.fromEntries(Object.entries(map).map(([key, inner]) => [key, fill(inner, [...path, key])]));
  return { value: fillMap(value, []), findings, whole };
}

function fillText(text: string, variables: ReadonlyMap<string, string>): { text: string; faults: string[] } {
  const faults: string[] = [];
  const filled = text.replace(/\$\$\{|\$\{([^{}]*)\}?/g, (match: string, name: string | undefined) => {
    if (name === undefined) return `\${`;
    if (!match.endsWith('}')) faults.push(`a \${ has no closing }; write $\${ for a plain \${`);
    else if (!/^[A-Za-z_]\w*$/.test(name)) faults.push(`a \${…} must hold a variable name; write $\${ for a plain \${`);
    else return variables.get(name) || fault(faults, name, variables);
    return match;
  });
  return { text: filled, faults: [...new Set(faults)] };
}

function fault(faults: string[], name: string, variables: ReadonlyMap<string, string>): string {
  const state = variables.has(name) ? 'is empty' : 'is not set';
  faults.push(`${name} ${state}. Put it in .env next to the agent's file, or export it`);
  return '';
}

const WANTED = {
  number: (text: string) => (/^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : undefined),
  boolean: (text: string) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
};

/** Converts texts that came from a variable to numbers and booleans where a finding requires one. */
export function convertFilled({ value, whole }: Filled, findings: readonly Finding[]): Record<string, unknown> {
  const variables = new Set(whole.map((path) => JSON.stringify(path)));
  const converted = structuredClone(value);
  for (const { path, wanted } of findings) {
    if (!wanted || !variables.has(JSON.stringify(path))) continue;
    const owner = getIn(converted, path.slice(0, -1)) as Record<string | number, unknown>; // it holds the filled text
    const key = path.at(-1) ?? '';
    owner[key] = WANTED[wanted](String(owner[key]).trim()) ?? owner[key];
  }
  return converted;
}

/** Fills each absent `api_key` from the usual variables of its provider, as if the file named the variable. */
export function fillKeys(value: Record<string, unknown>, variables: ReadonlyMap<string, string>): void {
  for (const model of modelPaths(value).map((path) => getIn(value, path))) {
    if (!isRecord(model)) continue;
    const { provider, endpoint, api_key } = model;
    const known = Provider.safeParse(provider);
    if (!known.success || api_key !== undefined) continue;
    const names = keyVariables({ provider: known.data, ...(typeof endpoint === 'string' && { endpoint }) });
    const key = names.map((name) => variables.get(name)).find((text) => text?.trim());
    if (key !== undefined) model.api_key = key;
  }
}

const MODELS = ['model', 'model.fallback', 'evaluations.model', 'evaluations.metrics.*.model'];

/** The paths of the models of the agent and its members, of those that grade tests, and of those that embed documents. */
export function modelPaths(value: unknown): Path[] {
  const names = (key: string) => Object.keys(getIn(value, [key]) ?? {});
  return [
    ...findPaths(value, MODELS),
    ...names('knowledge').map((name) => ['knowledge', name, 'embedding']),
    ...names('agents').flatMap((name) => [['model'], ['model', 'fallback']].map((path) => ['agents', name, ...path])),
  ];
}

/** True if a text takes at least one value from the environment. */
export function usesVariable(text: string): boolean {
  return /\$\{[^{}]*\}/.test(text.replaceAll(`$\${`, ''));
}

/** True if a text is a single variable and nothing else. */
export function isVariable(text: string): boolean {
  return /^\s*\$\{[^{}]*\}\s*$/.test(text);
}
