import type { Rejected } from '../../schema/conversation/event.ts';
import type { Message } from '../../schema/conversation/message.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { RunningTurn } from '../running-turn.ts';

/** The JSON Schema that the answer of this turn must fit: the request's, else the agent's. */
export function formatOf({
  state,
  deps,
}: {
  state: Pick<RunningTurn['state'], 'responseFormat'>;
  deps: { agent: RunningTurn['deps']['agent'] };
}): JsonObject | undefined {
  return state.responseFormat ?? deps.agent.response_format;
}

const MAX_PROBLEMS = 5;

/** The answer as bare JSON, or the reasons why it does not fit the format. */
export async function readFormatted(
  { deps }: RunningTurn,
  format: JsonObject,
  text: string,
): Promise<{ text: string } | Rejected> {
  const bare = withoutFence(text);
  const value = parse(bare);
  if (value === undefined) return { text, problems: ['it is not JSON'] };
  const problems = (await deps.validator()).check(format, value.json);
  if (problems.length === 0) return { text: bare };
  const lines = problems.slice(0, MAX_PROBLEMS).map(({ path, message }) => (path ? `${path} ${message}` : message));
  return { text, problems: lines };
}

/** Models without a JSON mode often put the answer into a code block. */
function withoutFence(text: string): string {
  const fenced = /^\s*```(?:json)?[ \t]*\n([\s\S]*?)\n?```\s*$/i.exec(text);
  return (fenced?.[1] ?? text).trim();
}

function parse(text: string): { json: never } | undefined {
  try {
    return { json: JSON.parse(text) as never }; // any JSON value; the validator takes them all
  } catch {
    return undefined;
  }
}

/** The messages that ask for the correction. They are sent, never stored. */
export function repairMessages({ rejected }: { rejected: Rejected | undefined }, timestamp: string): Message[] {
  if (!rejected) return [];
  const { text, problems } = rejected;
  const parts = { id: REPAIR_ID, timestamp, metadata: {} };
  const note = `Your answer does not have the required format: ${problems.join('; ')}. Send the whole corrected answer as JSON, and nothing else.`;
  return [
    { ...parts, role: 'assistant', content: text.trim() === '' ? '(no text)' : text },
    { ...parts, role: 'user', content: note },
  ];
}

/** These messages are no part of the conversation. */
const REPAIR_ID = '00000000000000000000000000';
