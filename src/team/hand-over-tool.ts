import type { Agent } from '../schema/agent.ts';
import type { JsonObject } from '../schema/json.ts';
import type { Tool } from '../tools/tool.ts';
import { memberName } from './member-name.ts';

const REASON_CHARS = 500;

const INPUT_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    reason: {
      type: 'string',
      minLength: 1,
      maxLength: REASON_CHARS,
      description: 'Why, in one sentence. The user and the next agent read it',
    },
  },
  required: ['reason'],
  additionalProperties: false,
};

const HAND_OVER = 'hand_over_to_';
const HAND_BACK = 'hand_back';

/** The tool by which a member gets the conversation. */
export function handOverTool(name: string, { description }: Agent): Tool {
  return toTool(`${HAND_OVER}${name}`, name, `Hands the conversation over to ${name}${about(description)}.`);
}

/** The tool by which a member gives the conversation back to the agent that it began with. */
export function handBackTool({ name, description }: Agent): Tool {
  const to = memberName(name);
  return toTool(HAND_BACK, to, `Hands the conversation back to ${to}${about(description)}.`);
}

const TARGET = /^Hands the conversation (?:over|back) to ([^:.]+)(?:: (.+?))?\. From then on /s;

/** The agent that gets the conversation by this tool; undefined for every other tool. */
export function readTarget({
  name,
  description,
}: Pick<Tool, 'name' | 'description'>): { name: string; description?: string } | undefined {
  if (name !== HAND_BACK && !name.startsWith(HAND_OVER)) return undefined;
  const [, to, about] = TARGET.exec(description) ?? [];
  return to === undefined ? undefined : { name: to, ...(about && { description: about }) };
}

function about(description: string | undefined): string {
  return description ? `: ${description}` : '';
}

function toTool(name: string, to: string, what: string): Tool {
  return {
    name,
    description: `${what} From then on ${to} answers this message and the next ones. Call it alone, without other calls.`,
    inputSchema: INPUT_SCHEMA,
    source: 'team',
    handsOverTo: to,
    readOnly: true,
    run: async () => ({ error: { error_type: 'ToolInvocationError', message: NO_CONVERSATION } }),
  };
}

const NO_CONVERSATION = 'A conversation can be handed over only within its own turns.';
