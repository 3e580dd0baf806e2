import { describe, expect, it } from 'vitest';
import type { SupervisorLimits } from '../src/mcp/limits.ts';
import type { ScriptedReply } from '../src/models/scripted.ts';
import type { ToolCallState } from '../src/schema/conversation/tool-call.ts';
import type { JsonObject } from '../src/schema/json.ts';
import type { Tool, ToolSource } from '../src/tools/tool.ts';
import { ALICE, buildTool } from './build.ts';
import { MODEL_FAULTS } from './fakes/model-faults.ts';
import { openScript, openSource, SERVERS } from './fixtures/mcp-servers/open.ts';
import { collect, openRuntime } from './runtime.ts';

describe('a tool call that goes wrong', () => {
  it.each(TOOL_FAULTS)(
    'is a result that the model reads: $name',
    async ({ state, says, reply, tools, open, agent }) => {
      const { runtime, model } = await openRuntime({
        replies: [reply, 'I could not do that.', 'Still here.'],
        ...(tools && { tools }),
        ...(open && { sources: [open()] }),
        ...(agent && { agent }),
      });
      const turn = await runtime.chat(ALICE, { agent: 'helper', message: 'go' });
      const events = await collect(turn);
      const result = events.flatMap((event) => (event.type === 'turn-end' ? [event.result] : []))[0];
      expect(result).toMatchObject({ status: 'completed', content: 'I could not do that.', partial_results: true });
      expect(result?.tool_calls.map((call) => [call.state, call.error?.message])).toEqual([[state, says]]);
      expect(model.requests[1]?.messages.at(-1)?.content).toContain(JSON.stringify(says).slice(1, -1));

      const again = { agent: 'helper', message: 'and now?', conversationId: turn.conversationId };
      expect((await collect(await runtime.chat(ALICE, again))).at(-1)).toMatchObject({
        result: { content: 'Still here.' },
      });
    },
  );
});

describe('docs/reference/faults.md', () => {
  it('lists every tested fault, in the words that its author sees', async () => {
    const page = [
      '# Faults, and the messages for them',
      '',
      'Every row is a test: a server with the fault, and the message for it. No fault ends a conversation: the message stays',
      'stored, and the next one is answered. [Error codes](errors.md) has the HTTP status of each code.',
      '',
      '## The model',
      '',
      'HoloDeck tries at most three times within the deadline, and never after the first word was shown. A model that used up',
      '`model.timeout_seconds` is asked at most once more, and only if the deadline leaves time for another whole attempt. Then',
      'HoloDeck asks the `fallback` model, if there is one. The table has the message for the author of the agent, in the terminal (`chat`, `run`) and',
      "in `holodeck.log`: it includes the provider's sentence and no keys. All other users read a friendly sentence without hosts and",
      'settings, such as "The model is busy. Please try again in 4 s." HOST, MODEL and PROVIDER stand for names.',
      '',
      '| fault | code | tries | what the author sees |',
      '|---|---|--:|---|',
      ...MODEL_FAULTS.map(({ name, code, tries, says }) => `| ${name} | \`${code}\` | ${tries} | ${cell(says)} |`),
      '',
      'After a 404, a local server needs the model first; the message then ends with its command, such as `lms get qwen3`.',
      '[Troubleshooting](../guides/troubleshooting.md) has the commands that list what a server has.',
      '',
      '## Tools and their servers',
      '',
      'The model reads a failed call as a result and answers with it. The turn is `completed` with `partial_results`. `unknown` means',
      'that the effect is not known ([states of a tool call](glossary.md#states-of-a-tool-call)).',
      '',
      '| fault | state of the call | what the model and you see |',
      '|---|---|---|',
      ...TOOL_FAULTS.map(({ name, state, says }) => `| ${name} | ${state} | ${cell(says)} |`),
      '',
      'A tool server that dies is started again at once; new calls wait for it within their deadline. A call that crashes it twice',
      '(same user, tool and arguments) is refused for 10 minutes, and so are all calls of a user who crashes it five times. The calls',
      'of other users are sent. A server that cannot be started, or that several users crash in a row, is tried again after 1 s, 2 s,',
      '4 s and so on up to a minute.',
      '',
      'A tool server that is still starting delays no answer: a turn begins without its tools, with a notice, and a model that needs',
      'them calls `wait_for_tools`. Only the author sees the place of an exception in a function, and the output of a server that failed',
      'to start: in `chat` and `run`, by `check --start`, and on the screen of `serve`.',
      '',
    ].join('\n');
    await expect(page).toMatchFileSnapshot('../docs/reference/faults.md');
  });
});

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

/** A way in which a tool call fails, and the texts that the model and the user read. */
interface ToolFault {
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
    openScript([`${SERVERS}/servers.mjs`, script], { name }, { random: () => 1, limits });
/** No refill, so that the speed of this machine does not matter. */
const NO_REFILL = { outputBytes: 20_000_000, outputBytesPerSecond: 0 };

const TOOL_FAULTS: readonly ToolFault[] = [
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
    open: server('die', 'inventory'),
  },
  {
    name: 'tool server that sends without end',
    state: 'unknown',
    says: 'inventory was stopped because it sent too much while the call was running. It is unknown whether the call took effect.',
    reply: call('endless'),
    open: server('flood', 'inventory', NO_REFILL),
  },
  {
    name: 'answer of 100 MB',
    state: 'failed',
    says: 'The answer was larger than 8 MB and was refused.',
    reply: call('answer', { amount: 100 }),
    open: server('flood', 'inventory'),
  },
  {
    name: 'tool server that cannot be started',
    state: 'failed',
    says: 'There is no tool named "stock". Known tools: echo.',
    reply: call('stock'),
    open: () => openSource({ name: 'inventory', transport: 'stdio', command: 'no-such-command' }),
  },
];
