import { isRemote } from '../../kinds/tool-kinds.ts';
import type { ModelRequest } from '../../models/model.ts';
import type { Agent } from '../../schema/agent.ts';
import type { Json, JsonObject } from '../../schema/json.ts';
import type { Tool } from '../../tools/tool.ts';

/** Marks ids that a model drew, and the times of its chunks, apart from those of the turns. */
export const MODEL_ID = 'model';
export const CHUNK_TIMES = 'chunks';

/** The parts of a model's request that decide its reply. */
export function modelRequest({ system, messages, tools }: ModelRequest): JsonObject {
  const said = messages.map((message) => ({
    role: message.role,
    content: message.content,
    ...('tool_calls' in message && message.tool_calls && { tool_calls: message.tool_calls }),
  }));
  return toPlain({ system, messages: said, tools });
}

/** A tool without its function. */
export function toolDefinition({ run: _run, ...definition }: Tool): JsonObject {
  return toPlain(definition);
}

/**
 * The request for a source's tools. Tools of this process are part of it, so that a changed one is noticed. The server of
 * others is not started for a replay; the settings that choose their tools take their place.
 */
export function listRequest({ tools }: Agent, name: string, own: readonly Tool[] | undefined): JsonObject {
  if (own) return { list: name, tools: own.map(toolDefinition) };
  const entry = toPlain(tools.find((tool) => tool.name === name) ?? {});
  const chosen = ['allow', 'prefix', 'approve', 'bind', 'idempotent'].filter((key) => key in entry);
  return { list: name, ...Object.fromEntries(chosen.map((key) => [key, entry[key] ?? null])) };
}

/** The kind of the requests to a `tools` entry. */
export function requestKind({ tools }: Agent, name: string): 'tool' | 'mcp' {
  const entry = tools.find((tool) => tool.name === name);
  return entry && isRemote(entry) ? 'mcp' : 'tool';
}

/** Values as JSON would store them; undefined keys are left out. */
export function toPlain<T extends object>(value: T): JsonObject {
  return JSON.parse(JSON.stringify(value));
}

/** The lines that differ, with the line before them. */
export function describeDifference(recorded: Json | undefined, now: Json): string {
  const [was, is] = [linesOf(recorded), linesOf(now)];
  const first = firstDifference(was, is);
  const rest = Math.min(was.length, is.length) - first;
  const last = Math.min(rest, firstDifference(was.toReversed(), is.toReversed()));
  const show = (lines: readonly string[], sign: string) => {
    const own = lines.slice(first, lines.length - last);
    const more = own.length > SHOWN ? [`${sign} … ${own.length - SHOWN} more lines`] : [];
    return [...own.slice(0, SHOWN).map((line) => `${sign} ${line}`), ...more];
  };
  return [...(first > 0 ? [`  ${is[first - 1]}`] : []), ...show(was, '-'), ...show(is, '+')].join('\n');
}

function firstDifference(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((line, index) => line !== b[index]);
  return at === -1 ? a.length : at;
}

const SHOWN = 3;

/** Every line of every text is a line, so that a changed sentence of a prompt is seen alone. */
function linesOf(value: Json | undefined): string[] {
  return JSON.stringify(value ?? null, null, 1)
    .replaceAll('\\n', '\n')
    .split('\n');
}
