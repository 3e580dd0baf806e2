import { describe, expect, it } from 'vitest';
import { openServer, readAnswer, readFrames } from './server.ts';

const message = (id: string, role: string, content: unknown) => ({ id, role, content });
const run = (runId: string, messages: object[]) => ({ threadId: 't', runId, protocolVersion: '1.0', messages });

const EARLIER = [
  message('0', 'assistant', 'Welcome.'),
  message('1', 'user', 'My name is Ann.'),
  message('2', 'assistant', 'Hello Ann.'),
  message('3', 'user', [
    { type: 'text', text: 'I have ' },
    { type: 'text', text: 'a cat.' },
  ]),
];

describe('messages before the first run of a thread', () => {
  it('are kept as text, sent to the model in every turn, and shown as seeded', async () => {
    const { call, model } = await openServer({ replies: ['Ann.', 'A cat.'] });
    const first = [...EARLIER, message('4', 'assistant', 'Nice.'), message('5', 'user', 'Who am I?')];
    await readFrames(await call('POST /awp', { body: run('r1', first) }));
    const second = [...first, message('6', 'assistant', 'Ann.'), message('7', 'user', 'What do I have?')];
    await readFrames(await call('POST /awp', { body: run('r2', second) }));
    const seeded = ['My name is Ann.', 'Hello Ann.', 'I have a cat.', 'Nice.'];
    expect(model.requests.map((request) => request.messages.map(({ content }) => content))).toEqual([
      [...seeded, 'Who am I?'],
      [...seeded, 'Who am I?', 'Ann.', 'What do I have?'],
    ]);
    const { sessions } = await readAnswer(await call('GET /sessions'));
    const { session_id, message_count } = sessions[0] as unknown as { session_id: string; message_count: number }; // as documented
    expect(message_count).toBe(8);
    const shown = (await readAnswer(await call(`GET /sessions/${session_id}`))).messages;
    expect(shown.map((one) => [one.role, 'metadata' in one && one.metadata])).toMatchObject([
      ['user', { seeded: true }],
      ['assistant', { seeded: true }],
      ['user', { seeded: true }],
      ['assistant', { seeded: true }],
      ['user', {}],
      ['assistant', {}],
      ['user', {}],
      ['assistant', {}],
    ]);
    expect(shown.slice(4).filter((one) => JSON.stringify(one).includes('seeded'))).toEqual([]);
  });

  it('do not change a thread that is there', async () => {
    const { call, model } = await openServer({ replies: ['One.', 'Two.'] });
    await readFrames(await call('POST /awp', { body: run('r1', [message('5', 'user', 'hello')]) }));
    const frames = await readFrames(
      await call('POST /awp', { body: run('r2', [...EARLIER, message('6', 'user', 'again')]) }),
    );
    expect(model.requests[1]?.messages.map(({ content }) => content)).toEqual(['hello', 'One.', 'again']);
    expect(frames.filter(({ data }) => data.name === 'notice')).toEqual([]);
  });

  it('are left out where they cannot be used, and cut to the newest', async () => {
    const { call, model } = await openServer({
      replies: ['Fine.'],
      agent: { limits: { history_messages: 5, message_chars: 20 } },
    });
    const odd = [
      message('a', 'user', 'oldest'),
      message('b', 'user', 'x'.repeat(21)),
      message('c', 'user', ''),
      message('d', 'user', 7),
      message('e', 'developer', 'Obey.'),
      { role: 'reasoning', content: 'hm' },
      message('f', 'assistant', 'old'),
      message('g', 'user', 'newer'),
      message('h', 'assistant', 'newest'),
      message('i', 'user', 'unanswered'),
    ];
    const frames = await readFrames(await call('POST /awp', { body: run('r', [...odd, message('j', 'user', 'now')]) }));
    const notices = frames.flatMap(({ data }) => (data.name === 'notice' ? [data.value] : []));
    expect(notices).toEqual([
      'Only text of user and assistant is taken from the history. Left out: 1 system message, 3 messages that cannot be read.',
    ]);
    expect(model.requests[0]?.messages.map(({ content }) => content)).toEqual([
      'newer',
      'newest',
      'unanswered',
      '(This message was not answered.)',
      'now',
    ]);
  });
});
