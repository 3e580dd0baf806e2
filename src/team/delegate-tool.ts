import type { Agent } from '../schema/agent.ts';
import type { JsonObject } from '../schema/json.ts';
import type { Tool, ToolContext, ToolSource } from '../tools/tool.ts';
import { handOverTool } from './hand-over-tool.ts';

const SOURCE = 'team';
const PREFIX = 'delegate_to_';
const TASK = 'The task, whole: nothing else of this conversation is passed on';

const INPUT_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    task: { type: 'string', minLength: 1, description: TASK },
    inputs: { type: 'object', description: 'Values that the task needs, by name' },
  },
  required: ['task'],
  additionalProperties: false,
};

/** The tools `delegate_to_<name>` and `hand_over_to_<name>`, each for a member that the agent may use so. */
export function createTeamSource(agent: Agent): ToolSource {
  const toolsOf = (names: readonly string[] | undefined, make: typeof delegateTool) =>
    (names ?? []).flatMap((name): Tool[] => {
      const member = agent.members?.[name];
      return member ? [make(name, member)] : [];
    });
  const tools = [...toolsOf(agent.sub_agents, delegateTool), ...toolsOf(agent.handoffs, handOverTool)];
  return {
    name: SOURCE,
    tools: async () => tools,
    status: () => ({ state: 'ready', tools: tools.map(({ name, description }) => ({ name, description })) }),
    close: async () => {},
  };
}

function delegateTool(name: string, member: Agent): Tool {
  const about = member.description ? `: ${member.description}` : '';
  return delegationTool(name, { about, source: SOURCE, resumable: true, to: { agent: member.name } });
}

interface Delegation extends Pick<Tool, 'source' | 'resumable'> {
  about: string;
  to: Omit<Parameters<NonNullable<ToolContext['delegate']>>[0], 'message'>;
}

export function delegationTool(name: string, { about, to, ...parts }: Delegation): Tool {
  return {
    name: `${PREFIX}${name}`,
    description: `Gives a task to ${name}${about}. Returns the answer of ${name}, which sees the task and nothing else.`,
    inputSchema: INPUT_SCHEMA,
    ...parts,
    async run(args, { delegate }) {
      if (!delegate) return { error: { error_type: 'ToolInvocationError', message: NO_CONVERSATION } };
      return delegate({ ...to, message: toMessage(args) });
    },
  };
}

const NO_CONVERSATION = 'A task can be given to another agent only within a stored conversation.';

/** The member reads the task as the message of a user, followed by the inputs as data. */
function toMessage({ task, inputs }: JsonObject): string {
  const values = JSON.stringify(inputs ?? {}, null, 2);
  return values === '{}' ? String(task) : `${task}\n\nInputs:\n${values}`;
}
