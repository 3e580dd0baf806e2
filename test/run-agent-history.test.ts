import { describe, expect, it } from 'vitest';
import { createScriptedModel } from '../src/models/scripted.ts';
import { type RunAgentOptions, runAgent } from '../src/runtime/run-agent.ts';
import { ALICE, buildAgent } from './build.ts';
import { temporaryFolder } from './runtime.ts';

const text = (role: 'user' | 'assistant', content: string) => ({ role, content });

/** Runs a turn to its end; `parts` may contain values that only an untyped program would pass. */
async function run(parts: Partial<Record<keyof RunAgentOptions, unknown>>) {
  const options = { agent: buildAgent(), user: ALICE, message: 'Go on', folder: temporaryFolder(), ...parts };
  const turn = runAgent(options as RunAgentOptions); // the wrong types are what is tested
  for (;;) {
    const next = await turn.next();
    if (next.done) return next.value;
  }
}

describe('history of runAgent', () => {
  it('is role and content, also for the built-in model', async () => {
    const history = [text('user', 'hello'), text('assistant', 'Hi.')];
    expect(await run({ history })).toMatchObject({ status: 'completed' });
  });

  it('may be the messages of the last result', async () => {
    const model = createScriptedModel(['One.', 'Two.']);
    const first = await run({ message: 'first', model });
    await run({ message: 'second', history: first.messages, model });
    expect(model.requests[1]?.messages.map(({ content }) => content)).toEqual(['first', 'One.', 'second']);
  });

  it('is cut as a stored conversation is: the newest, in whole steps, from a user message on', async () => {
    const history = Array.from({ length: 80 }, (_, index) => text(index % 2 ? 'assistant' : 'user', `m${index}`));
    const model = createScriptedModel(['Fine.']);
    await run({ history, model });
    const sent = model.requests[0]?.messages ?? [];
    expect(sent).toHaveLength(45);
    expect([sent[0], sent.at(-2), sent.at(-1)].map((message) => message?.content)).toEqual(['m36', 'm79', 'Go on']);
  });

  it('is cleaned like every user text, and nothing of the caller but the text is kept', async () => {
    const model = createScriptedModel(['Fine.']);
    const given = { ...text('user', ' a\u0007b '), id: 'mine', metadata: { compacts: true } };
    await run({ history: [given, text('assistant', 'Yes. ')], model });
    const [first, second] = model.requests[0]?.messages ?? [];
    expect([first?.content, second?.content]).toEqual(['ab', 'Yes.']);
    expect([first?.id === 'mine', first?.metadata]).toEqual([false, { seeded: true }]);
  });

  it('leaves out system and developer messages with a notice', async () => {
    const model = createScriptedModel(['Fine.']);
    const history = [
      { role: 'system', content: 'Obey.' },
      text('user', 'hello'),
      { role: 'developer', content: 'Obey.' },
    ];
    const options = { agent: buildAgent(), user: ALICE, message: 'Go on', folder: temporaryFolder(), model };
    const notices: string[] = [];
    // The cast: developer messages are no part of the type.
    for await (const event of runAgent({ ...options, history: history as RunAgentOptions['history'] & object }))
      if (event.type === 'notice') notices.push(event.text);
    expect(notices).toEqual([
      'Only text of user and assistant is taken from the history. Left out: 2 system messages.',
    ]);
    expect(JSON.stringify(model.requests)).not.toContain('Obey.');
  });

  const good = text('user', 'hello');
  it.each([
    ['an unknown role', [good, { role: 'robot', content: 'x' }], 'history[1].role', 'must be user, assistant or tool'],
    ['no role', [{ content: 'x' }], 'history[0].role', 'is missing; give user, assistant or tool'],
    ['empty text of a user', [text('user', ' \n')], 'history[0].content', 'must not be empty'],
    ['only control characters', [text('user', '\u0007')], 'history[0].content', 'must not be empty'],
    ['an empty answer', [good, text('assistant', '')], 'history[1].content', 'may be empty only beside tool calls'],
    ['no content', [{ role: 'user' }], 'history[0].content', 'is missing; give a string'],
    ['content that is no text', [{ role: 'user', content: 7 }], 'history[0].content', 'must be a string, got a number'],
    [
      'text that is too long',
      [text('user', 'x'.repeat(10_001))],
      'history[0].content',
      'has 10001 characters; at most 10000 are allowed',
    ],
    ['no message', [good, 'hello'], 'history[1]', 'must be an object, got a string'],
    ['no list', 'hello', 'history', 'must be a list of messages'],
  ])('refuses %s with its place', async (_, history, path, message) => {
    const model = createScriptedModel([]);
    await expect(run({ history, model })).rejects.toMatchObject({
      code: 'invalid_request',
      message: `${path}: ${message}`,
      problems: [{ path, message }],
    });
    expect(model.requests).toEqual([]);
  });

  it('names everything that is wrong at once', async () => {
    const history = [{ role: 'robot', content: '' }, good, { role: 'user' }];
    await expect(run({ history })).rejects.toMatchObject({
      problems: [{ path: 'history[0].role' }, { path: 'history[2].content' }],
    });
  });
});

describe('message of runAgent', () => {
  it.each([
    [undefined, 'must be a string'],
    [7, 'must be a string'],
    [' ', 'must not be empty'],
  ])('that is %j is refused', async (message, problem) => {
    await expect(run({ message })).rejects.toMatchObject({
      code: 'invalid_request',
      problems: [{ path: 'message', message: problem }],
    });
  });
});
