import { describe, expect, it } from 'vitest';
import { checkFigures } from '../../src/runtime/agents/check-figures.ts';
import type { Json } from '../../src/schema/json.ts';
import { ALICE, buildTool } from '../build.ts';
import { collect, temporaryFolder } from '../runtime.ts';
import { readFrames, serveRuntime } from '../server/server.ts';
import { answer, handOver, openTeam, send } from './team.ts';

const DRAFT = 'The refund is 961 euros.';
const SENT = 'The refund is 12 euros.';
const keep = JSON.stringify({ keep: true });
const replace = (text: Json, note = 'the amount is wrong') => JSON.stringify({ keep: false, answer: text, note });
const checker = (required = false) => ({ agent: 'checker', required });
const textOf = (events: readonly { type: string; text?: string }[]) =>
  events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []));

describe('a member in then', () => {
  it('reads the message, the draft and the results, and the draft that it keeps is sent once', async () => {
    const look = buildTool({ name: 'look', readOnly: true, run: () => 'order 7: 12 euros' });
    const { runtime, model } = await openTeam({
      members: { checker: {} },
      readers: [checker()],
      tools: [look],
      script: {
        lead: (step) =>
          step === 0 ? { text: 'Looking.', calls: [{ name: 'look' }] } : { text: ['The refund ', 'is 12 euros.'] },
        'lead/checker': () => keep,
      },
    });
    const { result, events } = await send(runtime, 'My refund?');
    expect(textOf(events)).toEqual([SENT]);
    expect(events.filter(({ type }) => type === 'notice')).toMatchObject([
      { text: 'Each answer is checked before it is shown.' },
    ]);
    expect(result).toMatchObject({
      content: SENT,
      iterations: 2,
      delegations: [{ agent: 'checker', status: 'completed' }],
      tool_calls: [{ name: 'look' }, { name: 'check_by_checker', reads_answer: true, result: { keep: true } }],
    });
    expect(result).not.toHaveProperty('warning');
    const asked = model.requests.at(-1);
    expect(asked?.system).toContain('lead/checker');
    expect(asked?.responseFormat).toMatchObject({ required: ['keep'] });
    const read = asked?.messages
      .at(-1)
      ?.content.split('\n')
      .filter((line) => line.startsWith('{'));
    expect(read?.map((line) => JSON.parse(line).value)).toEqual(['My refund?', SENT, 'order 7: 12 euros']);
    // The model cannot call the member by itself.
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['look']);
  });

  it('replaces the draft, which is in the journal and nowhere else', async () => {
    const { runtime, model } = await openTeam({
      members: { checker: {}, second: {} },
      readers: [checker(), { agent: 'second', required: false }],
      script: {
        lead: () => DRAFT,
        'lead/checker': () => replace('The refund is 17 euros.'),
        'lead/second': () => replace(SENT, 'rounded'),
      },
    });
    const { call } = await serveRuntime(runtime);
    const frames = await readFrames(await call('POST /agent/lead/chat/stream', { body: { message: 'My refund?' } }));
    const { session_id: id } = frames[0]?.data ?? {};
    await send(runtime, 'And?', { conversationId: String(id) });
    const paths = ['', '/turns', '/events', '/export?format=md', '/export?format=json'].map(
      (path) => `GET /sessions/${id}${path}`,
    );
    const [turn] = await runtime.describeTurns(ALICE, String(id), { limit: 1 });
    const read = [...paths, `GET /sessions/${id}/turns/${turn?.id}/trace?prompts=1`].map(async (path) => {
      const response = await call(path);
      expect([path, response.status]).toEqual([path, 200]);
      return response.text();
    });
    const shown = [JSON.stringify(frames), ...(await Promise.all(read))].join('\n');
    expect(shown).toContain(SENT);
    expect(shown).toContain('the amount is wrong');
    expect(shown).not.toMatch(/961|17 euros/);
    const prompts = model.requests.filter(({ system }) => system.split('\n')[0] === 'lead');
    expect(prompts).toHaveLength(2);
    expect(JSON.stringify(prompts.map(({ messages }) => messages))).not.toMatch(/961|17 euros/);
    expect(turn?.result?.content).toBe(SENT);
  });

  it('that fails lets the draft through with a warning that names it; a required one withholds it', async () => {
    const script = {
      lead: () => DRAFT,
      'lead/checker': () => {
        throw new Error('away');
      },
    };
    const open = await openTeam({ members: { checker: {} }, readers: [checker()], script });
    const sent = await send(open.runtime, 'My refund?');
    expect(sent.result).toMatchObject({ status: 'completed', content: DRAFT, confidence: 'low' });
    expect(sent.result.warning).toMatch(/^checker could not check this answer: /);
    const closed = await openTeam({ members: { checker: {} }, readers: [checker(true)], script });
    const withheld = await send(closed.runtime, 'My refund?');
    expect(withheld.result).toMatchObject({ status: 'error', error: { code: 'answer_withheld' } });
    expect(JSON.stringify([withheld.result, textOf(withheld.events)])).not.toContain('961');
  });

  it.each([undefined, '', '   '])(
    'that rejects a draft with %j in its place withholds it, with its note',
    async (text) => {
      const verdict = JSON.stringify({ keep: false, answer: text, note: 'Not ours to say.' });
      const script = { lead: () => DRAFT, 'lead/checker': () => verdict };
      const { runtime } = await openTeam({ members: { checker: {} }, readers: [checker()], script });
      const { result } = await send(runtime, 'My refund?');
      expect(result.content).toBe('checker did not let this answer pass: Not ours to say.');
      expect(result).toMatchObject({ status: 'error', error: { code: 'answer_withheld' } });
    },
  );

  it('may need an approval: the draft waits with it, also over a restart', async () => {
    const folder = temporaryFolder();
    const team = {
      folder,
      members: { checker: {} },
      readers: [checker()],
      tools: [buildTool({ name: 'look', needsApproval: true, run: () => '12 euros' })],
      script: {
        lead: () => DRAFT,
        'lead/checker': (step: number) => (step === 0 ? { calls: [{ name: 'look' }] } : replace(SENT)),
      },
    };
    const before = await openTeam(team);
    const { conversationId, result } = await send(before.runtime, 'My refund?');
    expect(result).toMatchObject({ status: 'waiting', content: '', asked: [{ tool: 'look', agent: 'checker' }] });
    await before.runtime.stop();
    const after = await openTeam(team);
    const answered = await answer(after.runtime, conversationId, [
      { call_id: result.asked?.[0]?.call_id ?? '', approved: true },
    ]);
    expect(answered.result).toMatchObject({ status: 'completed', content: SENT });
    expect(after.model.requests.map(({ system }) => system.split('\n')[0])).toEqual(['lead/checker']);
  });

  it('reads the answer of every agent that has the conversation', async () => {
    const { runtime } = await openTeam({
      handoffs: ['billing'],
      members: { billing: {}, checker: {} },
      readers: [checker()],
      script: {
        lead: () => ({ calls: [handOver('billing', 'A refund')] }),
        'lead/billing': () => DRAFT,
        'lead/checker': () => replace(SENT),
      },
    });
    const { result, events } = await send(runtime, 'My refund?');
    expect(result).toMatchObject({ content: SENT, agent: 'billing' });
    expect(events.filter(({ type }) => type === 'notice')).toHaveLength(1);
  });

  it('answers in the format that the caller named, or not at all', async () => {
    const format = { type: 'object', properties: { euros: { type: 'number' } }, required: ['euros'] };
    const { runtime } = await openTeam({
      members: { checker: {}, second: {} },
      readers: [checker(), { agent: 'second', required: false }],
      script: {
        lead: () => '{"euros":961}',
        'lead/checker': () => replace('no JSON'),
        'lead/second': () => replace({ euros: 12 }),
      },
    });
    const { result } = await send(runtime, 'My refund?', { responseFormat: format });
    expect(result.content).toBe('{"euros":12}');
    expect(result.warning).toContain('checker could not check this answer');
  });

  it('is stopped with the turn, and nothing of the draft is sent', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const hang = buildTool({ name: 'hang', run: () => new Promise(() => begin()) });
    const { runtime } = await openTeam({
      members: { checker: {} },
      readers: [checker()],
      tools: [hang],
      script: { lead: () => DRAFT, 'lead/checker': () => ({ calls: [{ name: 'hang' }] }) },
    });
    const turn = await runtime.chat(ALICE, { agent: 'lead', message: 'My refund?' });
    const events = collect(turn);
    await begun;
    await runtime.cancel(ALICE, turn.conversationId);
    expect(textOf(await events)).toEqual([]);
    const [stored] = await runtime.describeTurns(ALICE, turn.conversationId, { limit: 1 });
    expect(stored).toMatchObject({ status: 'cancelled', result: { content: '' } });
  });
});

describe('the built-in model', () => {
  it.each([
    [
      'keeps figures of the message, of results, and counts of lists',
      'You asked about 7. There are 2 orders: 12.50 and 1,300 euros.',
      'You asked about 7. There are 2 orders: 12.50 and 1,300 euros.',
    ],
    ['leaves out a sentence with another figure', 'You asked about 7. You get 961 euros.', 'You asked about 7.'],
    ['withholds an answer that has no other sentence', 'You get 961 euros.', ''],
  ])('%s', async (_, draft, sent) => {
    const look = buildTool({ name: 'look', readOnly: true, run: () => ({ orders: [{ sum: 12.5 }, { sum: 1300 }] }) });
    const lead = (step: number) => (step === 0 ? { calls: [{ name: 'look' }] } : draft);
    const { runtime } = await openTeam({
      members: { checker: {} },
      readers: [checker()],
      tools: [look],
      script: { lead },
      wrap: checkFigures,
    });
    const { result } = await send(runtime, 'What about order 7?');
    if (sent === '') expect(result).toMatchObject({ error: { code: 'answer_withheld' } });
    else expect(result.content).toBe(sent);
    expect(result.content).not.toContain('961');
  });
});
