import type { Agent } from '../schema/agent.ts';
import type { JsonObject } from '../schema/json.ts';
import type { Tool } from '../tools/tool.ts';
import { memberName } from './member-name.ts';

const REASON_CHARS = 500;
const REASON = 'Why, in one sentence. The user and the next agent read it';
const TOOLS_NAMED = 20;
const TOOL_CHARS = 200;

const INPUT_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    reason: { type: 'string', minLength: 1, maxLength: REASON_CHARS, description: REASON },
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
export function handBackTool(first: Agent): Tool {
  const to = memberName(first.name);
  const members = (first.sub_agents ?? []).map((name) => ({ name, description: first.members?.[name]?.description }));
  const has = [...first.tools, ...members].slice(0, TOOLS_NAMED).flatMap(({ name, description }) => {
    const about = typeof description === 'string' ? description.replace(/[\s;()]+/g, ' ').slice(0, TOOL_CHARS) : '';
    return about ? [`${name} (${about})`] : [];
  });
  const can = has.length > 0 ? ` It has ${has.join('; ')}.` : '';
  return toTool(HAND_BACK, to, `Hands the conversation back to ${to}${about(first.description)}.${can}`);
}

const TARGET = /^Hands the conversation (?:over|back) to ([^:.]+)(?:: (.+?))?\.(?: It has (.+?)\.)? From then on /s;

export interface Target extends Pick<Agent, 'name' | 'description'> {
  isFirst: boolean;
  /** The tools and members that the first agent has. */
  has: Pick<Tool, 'name' | 'description' | 'inputSchema'>[];
}

/** The agent that gets the conversation by this tool; undefined for every other tool. */
export function readTarget({ name, description }: Pick<Tool, 'name' | 'description'>): Target | undefined {
  if (name !== HAND_BACK && !name.startsWith(HAND_OVER)) return undefined;
  const [, to, about, list = ''] = TARGET.exec(description) ?? [];
  if (to === undefined) return undefined;
  const tools = [...list.matchAll(/([^\s;()]+) \(([^)]*)\)/g)];
  const has = tools.map(([, tool = '', what = '']) => ({ name: tool, description: what, inputSchema: {} }));
  return { name: to, ...(about && { description: about }), isFirst: name === HAND_BACK, has };
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
