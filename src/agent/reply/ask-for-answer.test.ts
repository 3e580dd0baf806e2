import { describe, expect, it } from 'vitest';
import { ALICE, buildAgent, buildTool } from '../../../test/build.ts';
import { createScriptedModel, type ScriptedReply } from '../../models/scripted.ts';
import type { Event } from '../../schema/conversation/event.ts';
import { TurnResult } from '../../schema/conversation/turn.ts';
import { offerTools } from '../../tools/offer.ts';
import { runStateless } from '../run-stateless.ts';

const format = {
  type: 'object',
  properties: { city: { type: 'string' }, people: { type: 'integer' } },
  required: ['city', 'people'],
};
const GOOD = '{"city":"Bonn","people":330000}';

async function play(replies: ScriptedReply[], agent: Record<string, unknown> = { response_format: format }) {
  const model = createScriptedModel(replies);
  const turn = runStateless({
    agent: buildAgent(agent),
    user: ALICE,
    message: 'hello',
    model,
    tools: offerTools([buildTool()]).offered,
  });
  const events: Event[] = [];
  for (;;) {
    const next = await turn.next();
    if (next.done) return { events, result: TurnResult.parse(next.value), model };
    events.push(next.value);
  }
}

const textOf = (events: Event[]) => events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []));

describe('an answer in a format', () => {
  it('is sent to the model as a schema and shown once it is checked', async () => {
    const { events, result, model } = await play([{ text: ['{"city":"Bo', 'nn","people":330000}'] }]);
    expect(model.requests[0]?.responseFormat).toEqual(format);
    expect(textOf(events)).toEqual([GOOD]);
    expect(result).toMatchObject({ status: 'completed', content: GOOD, iterations: 1 });
  });

  it('is taken out of a code block', async () => {
    const { result } = await play([`\`\`\`json\n${GOOD}\n\`\`\``]);
    expect(result.content).toBe(GOOD);
  });

  it('is corrected once: the model reads its answer and the faults, and nobody sees the first one', async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    const { events, result, model } = await play([
      { text: '{"city":"Bonn","people":"many"}', usage },
      { text: GOOD, usage },
    ]);
    expect(textOf(events)).toEqual([GOOD]);
    expect(result).toMatchObject({ status: 'completed', content: GOOD, tokens_used: { total_tokens: 30 } });
    expect(result.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    const [, repair] = model.requests;
    expect(repair?.tools).toEqual([]);
    expect(repair?.messages.map(({ role, content }) => [role, content]).slice(1)).toEqual([
      ['assistant', '{"city":"Bonn","people":"many"}'],
      ['user', expect.stringMatching(/people.*Send the whole corrected answer as JSON/)],
    ]);
  });

  it.each([
    ['words', 'Bonn has many people.'],
    ['a cut answer', '{"city":"Bo'],
    ['a missing value', '{"city":"Bonn"}'],
  ])('that is %s twice ends the turn with an error, after exactly one correction', async (_, text) => {
    const { events, result, model } = await play([text, text, GOOD]);
    expect(model.requests).toHaveLength(2);
    expect(textOf(events)).toEqual([]);
    expect(result).toMatchObject({ status: 'error', error: { code: 'answer_format', error_type: 'ModelError' } });
    expect(result.error?.message).toMatch(/required format/);
  });

  it('follows tool calls, whose words are not shown', async () => {
    const calls = [{ name: 'echo', arguments: { text: 'a' } }];
    const { events, result } = await play([{ text: 'Let me look.', calls }, GOOD]);
    expect(textOf(events)).toEqual([GOOD]);
    expect(result).toMatchObject({ content: GOOD, tool_calls: [{ name: 'echo', state: 'completed' }] });
  });

  it('is asked for at the limit of steps too', async () => {
    const calls = [{ name: 'echo', arguments: { text: 'a' } }];
    const agent = { response_format: format, loop: { max_iterations: 1 } };
    const good = await play([{ calls }, 'words', GOOD], agent);
    expect(good.result).toMatchObject({ status: 'max_iterations_reached', content: GOOD });
    const bad = await play([{ calls }, 'words', 'words'], agent);
    expect(bad.result.error?.code).toBe('answer_format');
  });

  it('is any text without a format', async () => {
    const { events, result } = await play([{ text: ['Hel', 'lo'] }], {});
    expect(textOf(events)).toEqual(['Hel', 'lo']);
    expect(result.content).toBe('Hello');
  });
});
