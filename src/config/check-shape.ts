import type * as z from 'zod';
import { CHOOSING_KEYS, entrySchema } from '../kinds/tool-kinds.ts';
import {
  AgentFile,
  InstructionParts,
  Limits,
  LoopConfig,
  ModelConfig,
  ServerConfig,
  ToolEntry,
} from '../schema/agent.ts';
import { Domain } from '../schema/domain.ts';
import { checkValue, describeUnknownKey } from '../yaml/describe-issue.ts';
import type { Layer, LayerKind } from '../yaml/layer.ts';
import { getIn } from '../yaml/locate.ts';
import { isRecord } from '../yaml/parse-yaml.ts';
import type { Finding, Path } from '../yaml/problem.ts';
import { UNSUPPORTED } from './python-keys.ts';

/** The readable part of a file that may have faults elsewhere. A faulty tool or domain leaves a gap in its list. */
export interface Draft extends Partial<Omit<AgentFile, 'tools' | 'domains'>> {
  tools: (ToolEntry | undefined)[];
  domains: (Domain | undefined)[];
}

const CONFIG_KINDS: readonly LayerKind[] = ['project', 'foreign', 'user'];
/** Keys allowed in the project's and the user's settings. */
const CONFIG_KEYS = ['model', 'loop', 'limits', 'server', 'observability', 'database', 'retention', '$schema'];

/** Checks every key separately, so that a fault in a key hides no fault in another. */
export function checkShape(value: Record<string, unknown>): { draft: Draft; findings: Finding[] } {
  const findings: Finding[] = [];
  const read = <T>(schema: z.ZodType<T>, part: unknown, path: Path): T | undefined => {
    const checked = checkValue(schema, part, { path });
    findings.push(...checked.findings.flatMap((finding) => findMisspelt(finding, part)));
    findings.push(...checked.findings.map(nameTooDeep).map((finding) => showModelMap(finding, part)));
    return checked.data ?? readRest(schema, part, path, checked.findings);
  };
  const readList = <T>(schema: z.ZodType<T>, key: 'tools' | 'domains') => {
    const list = value[key];
    if (Array.isArray(list))
      return list.map((item, index) => (item === undefined ? undefined : read(schema, item, [key, index])));
    read<unknown>(AgentFile.shape[key], list, [key]);
    return [];
  };
  const { tools: _tools, domains: _domains, ...single } = AgentFile.shape;
  const parts = Object.entries(single).flatMap(([key, schema]) => {
    const data = read<unknown>(schema, value[key], [key]);
    return data === undefined ? [] : [[key, data]];
  });
  const tools = readList(entrySchema(), 'tools');
  // An entry of no known kind still has the keys of every kind; problems of the same path are reported once.
  for (const [index, tool] of tools.entries())
    if (!tool && getIn(value, ['tools', index]) !== undefined)
      read(ToolEntry, getIn(value, ['tools', index]), ['tools', index]);
  const draft: Draft = { ...Object.fromEntries(parts), tools, domains: readList(Domain, 'domains') };
  return { draft, findings };
}

/** The key of a tool that was meant to be a missing one. Without the keys that choose its kind, no other key is judged. */
function findMisspelt({ path, isMissing }: Finding, part: unknown): Finding[] {
  const [section, index = 0, wanted, ...deeper] = path;
  if (section !== 'tools' || !isMissing || deeper.length > 0 || !isRecord(part)) return [];
  const keys = Object.keys(part).map((key) => describeUnknownKey([section, index, key], [String(wanted)]));
  return keys.filter(({ near }) => near !== undefined);
}

/** An unknown key that belongs to the top level was indented too far. */
function nameTooDeep(finding: Finding): Finding {
  const key = String(finding.path.at(-1));
  if (!finding.onKey || finding.near || !Object.hasOwn(AgentFile.shape, key)) return finding;
  return { ...finding, message: `wrong indent; ${key} belongs at the beginning of a line` };
}

const MODEL_FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/^(?:gpt|chatgpt|o\d)/i, 'openai'],
  [/^claude/i, 'anthropic'],
  [/^gemini/i, 'google'],
  [/^/, 'ollama'],
];

/** The name of a model alone does not name its provider. The name is not repeated: no message contains a value. */
function showModelMap(finding: Finding, part: unknown): Finding {
  if (finding.path.length !== 1 || finding.path[0] !== 'model' || typeof part !== 'string') return finding;
  const provider = MODEL_FAMILIES.find(([name]) => name.test(part))?.[1];
  return { ...finding, message: `must be a map; write model: { provider: ${provider}, name: … } with this name in it` };
}

/** The section above an unknown key, if it is empty and has this key: the key was not indented. */
function findSectionAbove(key: string, value: Record<string, unknown>): string | undefined {
  const keys = Object.keys(value);
  const above = keys.slice(0, keys.indexOf(key)).findLast((other) => value[other] === null);
  return above && Object.hasOwn(SECTION_KEYS, above) && SECTION_KEYS[above]?.includes(key) ? above : undefined;
}

const SECTION_KEYS: Readonly<Record<string, readonly string[]>> = {
  model: Object.keys(ModelConfig.shape),
  instructions: ['file', 'inline', ...Object.keys(InstructionParts.shape)],
  loop: Object.keys(LoopConfig.shape),
  limits: Object.keys(Limits.shape),
  server: Object.keys(ServerConfig.shape),
};

/** Rules depend on these keys. Without them, the rest of a section would be judged wrongly. */
const isDecisive = (key: string) => ['provider', 'auth', 'role', '<<', ...CHOOSING_KEYS].includes(key);

/** A section without its faulty values, so that the rules can be checked in the same run. */
function readRest<T>(schema: z.ZodType<T>, part: unknown, path: Path, faults: readonly Finding[]): T | undefined {
  const rest = structuredClone(part);
  for (const fault of faults) {
    const key = String(fault.path.at(-1));
    const owner = getIn(rest, fault.path.slice(path.length, -1));
    if (!isRecord(owner) || isDecisive(key) || isDecisive(fault.near ?? '')) return undefined;
    delete owner[key];
  }
  return checkValue(schema, rest, { path }).data;
}

/** The keys of a layer that do not belong there. */
export function checkTopKeys(layer: Layer): Finding[] {
  const known = Object.keys(AgentFile.shape);
  const allowed = CONFIG_KINDS.includes(layer.kind) ? CONFIG_KEYS : known;
  const warned = layer.kind === 'agent' ? UNSUPPORTED : [];
  return Object.keys(layer.value)
    .filter((key) => !allowed.includes(key) && !warned.includes(key))
    .map((key) => {
      if (known.includes(key)) return { path: [key], message: 'belongs in agent.yaml; move it there', onKey: true };
      const above = findSectionAbove(key, layer.value);
      if (above)
        return { path: [key], message: `wrong indent; ${key} belongs to ${above}, so indent it below`, onKey: true };
      const section = Object.keys(SECTION_KEYS).find((name) => SECTION_KEYS[name]?.includes(key));
      if (!section) return describeUnknownKey([key], allowed);
      return { path: [key], message: `belongs to ${section}; write it there: ${section}: { ${key}: … }`, onKey: true };
    });
}
