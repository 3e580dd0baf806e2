import { describe, expect, it } from 'vitest';
import { createZone } from '../language/zoned-time.ts';
import type { Message } from '../schema/conversation/message.ts';
import { readIds, readTurns } from './conversation.ts';
import { type Plan, playPlan } from './plan.ts';
import { describeDue, fillTemplate, quoteAll } from './reply.ts';
import { openTalk, type Said } from './talk-fixture.ts';

const names = (said: Said) => said.calls.map((call) => call.name);

describe('createBuiltinModel', () => {
  it('adds, asks which one, and completes the task that the answer names', async () => {
    const { say } = openTalk();
    expect(await say('remind me to buy milk tomorrow')).toEqual({
      text: "I've added 'buy milk' to your tasks, due tomorrow.",
      intents: [
        { name: 'create_task', confidence: expect.any(Number), parameters: { title: 'buy milk', when: 'tomorrow' } },
      ],
      calls: [{ name: 'add_task', arguments: { title: 'buy milk', due_date: '2026-11-16' } }],
    });
    await say('add a task to call mom');
    await say('add a task to call dentist');
    const question = await say("mark 'call' as done");
    expect([question.text, names(question)]).toEqual([
      "Which task did you mean: 'call dentist' or 'call mom'?",
      ['list_tasks'],
    ]);
    const answer = await say('the second one');
    expect([answer.text, names(answer)]).toEqual(["Great! I've marked 'call mom' as done.", ['complete_task']]);
  });

  it('lists, renames the task mentioned last, and deletes by position', async () => {
    const { say } = openTalk();
    await say('remember to finish the report');
    await say('add buy milk');
    expect((await say("actually, change it to 'buy oat milk'")).text).toBe("I've updated 'buy oat milk'.");
    expect((await say('what are my tasks?')).text).toBe('You have 2 tasks:\n1. finish the report\n2. buy oat milk');
    expect((await say('delete the second one')).text).toBe("I've deleted 'buy oat milk'.");
  });

  it('lists its abilities when asked for something else, and calls nothing', async () => {
    const { say } = openTalk();
    const said = await say("what's the weather today?");
    expect([said.calls, said.intents.map((intent) => intent.name)]).toEqual([[], ['unknown']]);
  });
});

const shared = { id: '01J00000000000000000000000', timestamp: '2026-11-15T12:00:00Z', metadata: {} };
const user = (content: string): Message => ({ ...shared, role: 'user', content });
const call = (id: string): Message => ({
  ...shared,
  role: 'assistant',
  content: '',
  tool_calls: [{ id, name: 'list', arguments: {} }],
});
const outcome = (id: string, content: string): Message => ({ ...shared, role: 'tool', tool_call_id: id, content });
const read = (content: string) => readTurns([user('hi'), call('a'), outcome('a', content)])[0]?.records[0]?.outcome;

describe('readTurns', () => {
  it('groups calls and reply with their message', () => {
    const turns = readTurns([
      user('one'),
      call('a'),
      outcome('a', '3'),
      { ...shared, role: 'assistant', content: 'three' },
      user('two'),
    ]);
    expect(turns.map(({ message, records, reply }) => [message.content, records, reply])).toEqual([
      ['one', [{ name: 'list', arguments: {}, outcome: { result: 3 } }], 'three'],
      ['two', [], undefined],
    ]);
  });

  it('reads results, errors and plain text', () => {
    const error = { error_type: 'TaskNotFound', message: 'There is no such task.' };
    expect(read('[{"id":"1"}]')).toEqual({ result: [{ id: '1' }] });
    expect(read(JSON.stringify({ error }))).toEqual({ error });
    expect(read('It rains.')).toEqual({ result: 'It rains.' });
  });

  it('separates an unknown outcome from a failed one', () => {
    const error = { error_type: 'ToolInvocationError', message: 'cut off' };
    const lost = { ...outcome('a', JSON.stringify({ error })), metadata: { state: 'unknown' } };
    const [turn] = readTurns([user('hi'), call('a'), lost]);
    expect(turn?.records[0]?.outcome).toEqual({ error, isUnknown: true });
    expect(read(JSON.stringify({ error }))).toEqual({ error });
  });

  it('keeps the complete elements of a list that was cut', () => {
    expect(read('[{"id":"1"},{"id":"2"},{"id":"3","tit\n[900 of 1000 characters left out]')).toEqual({
      result: [{ id: '1' }, { id: '2' }],
      cut: true,
    });
  });
});

describe('readIds', () => {
  it('finds the ids in tool results, newest first', () => {
    const [first, second] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
    const turns = readTurns([user('hi'), call('a'), outcome('a', JSON.stringify([{ id: first }, { id: second }]))]);
    expect(readIds(turns)).toEqual([second, first]);
  });
});

function* twoSteps(): Plan {
  const [listed] = yield [{ name: 'list', arguments: {} }];
  const count = listed && 'result' in listed ? Number(listed.result) : 0;
  yield [{ name: 'delete', arguments: { count } }];
  return { text: `deleted ${count}`, intents: [] };
}

const record = (name: string, result: number) => ({ name, arguments: {}, outcome: { result } });

describe('playPlan', () => {
  it('asks for the first calls', () => {
    expect(playPlan(twoSteps(), [])).toEqual({ type: 'calls', calls: [{ name: 'list', arguments: {} }], index: 0 });
  });

  it('continues with the outcomes', () => {
    expect(playPlan(twoSteps(), [record('list', 3)])).toEqual({
      type: 'calls',
      calls: [{ name: 'delete', arguments: { count: 3 } }],
      index: 1,
    });
  });

  it('ends with the reply', () => {
    expect(playPlan(twoSteps(), [record('list', 3), record('delete', 0)])).toEqual({
      type: 'reply',
      reply: { text: 'deleted 3', intents: [] },
    });
  });

  it('recognizes calls that another model made', () => {
    expect(playPlan(twoSteps(), [record('search', 3)])).toEqual({ type: 'foreign' });
    expect(playPlan(twoSteps(), [record('list', 3), record('delete', 0), record('delete', 0)])).toEqual({
      type: 'foreign',
    });
  });
});

const ZONE = createZone({ now: new Date('2026-11-15T21:00:00Z'), timezone: 'Europe/Berlin' });

describe('fillTemplate', () => {
  it('leaves a part out when its value is missing', () => {
    expect(fillTemplate("Added '{title}'[, due {due_date}].", { title: 'milk' })).toBe("Added 'milk'.");
    expect(fillTemplate("Added '{title}'[, due {due_date}].", { title: 'milk', due_date: 'today' })).toBe(
      "Added 'milk', due today.",
    );
  });

  it('never fills placeholders inside a value', () => {
    expect(fillTemplate('{title}', { title: '{user_id} [x]', user_id: 'secret' })).toBe('{user_id} [x]');
  });
});

describe('describeDue', () => {
  it.each([
    ['2026-11-15', 'today'],
    ['2026-11-16', 'tomorrow'],
    ['2026-11-14', 'yesterday'],
    ['2026-11-20', 'Fri 20 Nov'],
    ['2027-01-02', 'Sat 2 Jan 2027'],
    ['2026-11-16T15:00:00+01:00', 'tomorrow at 15:00'],
  ])('%s is %s', (due, text) => {
    expect(describeDue(due, ZONE)).toBe(text);
  });
});

describe('quoteAll', () => {
  it('puts the link before the last', () => {
    expect([quoteAll(['a'], 'or'), quoteAll(['a', 'b'], 'or'), quoteAll(['a', 'b', 'c'], 'and')]).toEqual([
      "'a'",
      "'a' or 'b'",
      "'a', 'b' and 'c'",
    ]);
  });
});
