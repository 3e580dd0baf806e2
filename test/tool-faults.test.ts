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

describe('docs/faults.md', () => {
  it('tells every fault that is tested, in the words that its author sees', async () => {
    const page = [
      '# What goes wrong, and what you see',
      '',
      'Every row is a test: a server that has the fault, and the words that come out. No fault ends a conversation: the',
      'message stays, and the next one is answered.',
      '',
      '## The model',
      '',
      'Each is met with at most three tries within the deadline, none after the first word was shown; then a `fallback`',
      'model is asked if there is one. The table has what the author of the agent reads: in the terminal (`chat`, `run`) and in',
      '`holodeck.log`, with the sentence of the provider, without keys. Everybody else, over HTTP too, reads a friendly sentence',
      'without hosts and settings, such as "The model is busy. Please try again in 4 s." HOST, MODEL and PROVIDER stand for names.',
      '',
      '| fault | code | tries | what the author sees |',
      '|---|---|--:|---|',
      ...MODEL_FAULTS.map(({ name, code, tries, says }) => `| ${name} | \`${code}\` | ${tries} | ${cell(says)} |`),
      '',
      '## Tools and their servers',
      '',
      'A failed call is a result that the model reads and answers with; the turn is `completed` with `partial_results`.',
      '`unknown` means that nobody knows whether it took effect; it is never run again by itself.',
      '',
      '| fault | state of the call | what the model and you see |',
      '|---|---|---|',
      ...TOOL_FAULTS.map(({ name, state, says }) => `| ${name} | ${state} | ${cell(says)} |`),
      '',
      'A tool server that dies is started again at once; calls that come meanwhile wait for it within their deadline. A call that crashes',
      'it twice (same user, tool and arguments) is refused for 10 minutes, and so are all calls of a user who crashes it five times;',
      'the calls of everybody else are sent. A server that cannot be started, or that several users crash in a row, is tried again after',
      '1 s, 2 s, 4 s and so on up to a minute.',
      '',
      'A tool server that is still starting holds no answer up: a turn begins without its tools, with a notice, and a model that needs',
      'them calls `wait_for_tools`. Where a function threw, and what a server printed before it failed to start, is shown to the author',
      'alone: in `chat` and `run`, by `check`, and where `serve` runs.',
      '',
    ].join('\n');
    await expect(page).toMatchFileSnapshot('../docs/faults.md');
  });
});

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
