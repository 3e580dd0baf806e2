import type { SupervisorLimits } from '../../src/mcp/limits.ts';
import type { ScriptedReply } from '../../src/models/scripted.ts';
import type { ToolCallState } from '../../src/schema/conversation/tool-call.ts';
import type { JsonObject } from '../../src/schema/json.ts';
import type { Tool, ToolSource } from '../../src/tools/tool.ts';
import { buildTool } from '../build.ts';
import { openScript, openSource, SERVERS } from '../fixtures/mcp-servers/open.ts';

/** A way in which a tool call fails, and the texts that the model and the user read. */
export interface ToolFault {
  name: string;
  state: ToolCallState;
  says: string;
  reply: ScriptedReply;
  tools?: Tool[];
  open?(): ToolSource;
  agent?: JsonObject;
}

const call = (name: string, args: JsonObject | string = {}): ScriptedReply => ({ calls: [{ name, arguments: args }] });
const server =
  (script: string, name: string, limits: Partial<SupervisorLimits> = {}) =>
  () =>
    openScript([`${SERVERS}/${script}`], { name }, { random: () => 1, limits });
/** No refill, so that the speed of this machine does not matter. */
const NO_REFILL = { outputBytes: 20_000_000, outputBytesPerSecond: 0 };

export const TOOL_FAULTS: readonly ToolFault[] = [
  {
    name: 'unknown tool in the reply',
    state: 'failed',
    says: 'There is no tool named "nope". Known tools: echo.',
    reply: call('nope'),
  },
  {
    name: 'invalid arguments',
    state: 'failed',
    says: 'The arguments of echo are not valid: text must be text.',
    reply: call('echo', { text: 7 }),
  },
  {
    name: 'arguments that are not JSON',
    state: 'failed',
    says: 'the arguments are not JSON; write one JSON object',
    reply: call('echo', '{"text":'),
  },
  {
    name: 'tool throws',
    state: 'failed',
    says: 'echo failed unexpectedly.',
    reply: call('echo'),
    tools: [
      buildTool({
        run: () => {
          throw new TypeError('cannot read x of undefined');
        },
      }),
    ],
  },
  {
    name: 'tool over its deadline',
    state: 'timeout',
    says: 'echo did not answer in time. Whether it took effect is not known.',
    reply: call('echo'),
    tools: [buildTool({ run: () => new Promise(() => {}) })],
    agent: { loop: { tool_timeout_seconds: 0.2 } },
  },
  {
    name: 'tool server that dies in a call',
    state: 'unknown',
    says: 'inventory ended with code 7 while the call was running. It is unknown whether the call took effect.',
    reply: call('die'),
    open: server('die.mjs', 'inventory'),
  },
  {
    name: 'tool server that sends without end',
    state: 'unknown',
    says: 'inventory was stopped because it sent too much while the call was running. It is unknown whether the call took effect.',
    reply: call('endless'),
    open: server('flood.mjs', 'inventory', NO_REFILL),
  },
  {
    name: 'answer of 100 MB',
    state: 'failed',
    says: 'The answer was larger than 8 MB and was refused.',
    reply: call('answer', { amount: 100 }),
    open: server('flood.mjs', 'inventory'),
  },
  {
    name: 'tool server that cannot be started',
    state: 'failed',
    says: 'There is no tool named "stock". Known tools: echo.',
    reply: call('stock'),
    open: () => openSource({ name: 'inventory', transport: 'stdio', command: 'no-such-command' }),
  },
];
