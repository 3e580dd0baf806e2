import { describe, expect, it } from 'vitest';
import { ALICE } from './build.ts';
import { MODEL_FAULTS } from './fakes/model-faults.ts';
import { TOOL_FAULTS } from './fakes/tool-faults.ts';
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
      '## Tools and their servers',
      '',
      'The model reads a failed call as a result and answers with it. The turn is `completed` with `partial_results`. `unknown` means',
      'that the effect is not known; HoloDeck never repeats such a call on its own.',
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
      'to start: in `chat` and `run`, by `check`, and on the screen of `serve`.',
      '',
    ].join('\n');
    await expect(page).toMatchFileSnapshot('../docs/reference/faults.md');
  });
});

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
