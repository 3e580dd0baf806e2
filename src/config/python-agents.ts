import { NO_EFFECT } from '../knowledge/python-entry.ts';
import { getIn } from '../yaml/locate.ts';
import { isRecord } from '../yaml/parse-yaml.ts';
import type { Finding, Path } from '../yaml/problem.ts';

type Value = Readonly<Record<string, unknown>>;

const PLACE = ['claude', 'agents'];

/** `claude.agents` of the Python HoloDeck as members. Without `tools` a member there has all of them. */
export function readPythonAgents(value: Value, tools: readonly unknown[]): Value {
  const given = entriesOf(value);
  if (given.length === 0) return {};
  const known = namesOf(tools);
  const agents = given.map(([name, entry]) => {
    if (!isRecord(entry)) return [name, entry];
    const { prompt, prompt_file: file, tools: allowed, model: _model, ...rest } = entry;
    const own = Array.isArray(allowed) ? known.filter((tool) => allowed.includes(tool)) : known;
    return [name, { ...rest, instructions: file === undefined ? prompt : { file }, tools: own }];
  });
  return { agents: Object.fromEntries(agents), sub_agents: given.map(([name]) => name) };
}

export function hasPythonAgents(value: Value): boolean {
  return entriesOf(value).length > 0;
}

/** The parts of `claude` that have no effect beside its agents. */
export function findPythonAgentLosses(value: Value): Finding[] {
  const given = entriesOf(value);
  if (!isRecord(value.claude) || given.length === 0) return [];
  const others = Object.keys(value.claude).filter((key) => key !== 'agents');
  const known = namesOf([value.tools ?? []].flat());
  return [
    ...others.map((key) => ({ path: ['claude', key], message: NO_EFFECT, onKey: true })),
    ...given.flatMap(([name, entry]) => lossesOf([...PLACE, name], entry, known)),
  ];
}

function lossesOf(path: Path, entry: unknown, known: readonly string[]): Finding[] {
  if (!isRecord(entry)) return [];
  const { model, tools } = entry;
  const message = 'is no entry of tools, so this member does not have it';
  const unknown = Array.isArray(tools) ? tools.flatMap((tool, index) => (known.includes(tool) ? [] : [index])) : [];
  return [
    ...(model === undefined || model === 'inherit'
      ? []
      : [{ path: [...path, 'model'], message: NO_EFFECT, onKey: true }]),
    ...unknown.map((index) => ({ path: [...path, 'tools', index], message })),
  ];
}

/** The place in the file of a path of members that came from `claude.agents`. */
export function placeOfAgent(path: Path, value: Value): Path {
  const [first, name, key, ...rest] = path;
  if (first !== 'agents' || !hasPythonAgents(value)) return path;
  if (key === 'instructions')
    return [...PLACE, ...(name === undefined ? [] : [name]), rest[0] === 'file' ? 'prompt_file' : 'prompt'];
  return [...PLACE, ...path.slice(1)];
}

function entriesOf(value: Value): [string, unknown][] {
  const agents = value.agents === undefined && getIn(value, PLACE);
  return isRecord(agents) ? Object.entries(agents) : [];
}

function namesOf(tools: readonly unknown[]): string[] {
  return tools.flatMap((tool) => (isRecord(tool) && typeof tool.name === 'string' ? [tool.name] : []));
}
