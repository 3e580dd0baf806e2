import { describe, expect, it } from 'vitest';
import { collectChunks, makeRequest, NEVER_ABORTED } from '../../../test/fakes/model-request.ts';
import { createValidator } from '../../tools/validate.ts';
import type { Model, ModelChunk } from '../model.ts';
import { createTextCallModel } from './text-call-model.ts';

const ADD = {
  name: 'add_task',
  description: 'Adds a task.',
  inputSchema: {
    type: 'object',
    properties: { title: { type: 'string' }, count: { type: 'integer' } },
    required: ['title'],
    additionalProperties: false,
  },
};
const LIST = { name: 'list_tasks', description: 'Lists tasks.', inputSchema: { type: 'object' } };

/** The chunks of a reply that arrives in pieces of a few characters. */
async function read(text: string, { tools = [ADD, LIST], reason = 'stop' as const } = {}) {
  const model: Model = {
    label: 'local',
    async *stream() {
      for (const piece of text.match(/[\s\S]{1,5}/g) ?? []) yield { type: 'text', text: piece };
      yield { type: 'finish', reason };
    },
  };
  const { check } = createValidator();
  const reading = createTextCallModel(model, {
    accepts: async (schema, value) => check(schema, value).length === 0,
    newId: () => 'id',
  });
  return collectChunks(reading.stream(makeRequest({ tools }), { signal: NEVER_ABORTED }));
}

const isText = (chunks: readonly ModelChunk[]) =>
  chunks.map((chunk) => (chunk.type === 'text' ? chunk.text : '')).join('');
const callsOf = (chunks: readonly ModelChunk[]) =>
  chunks.flatMap((chunk) => (chunk.type === 'tool-call' ? [`${chunk.name} ${chunk.arguments}`] : []));

const MILK = 'add_task {"title":"milk"}';

describe('calls written as text', () => {
  it.each([
    ['<tool_call>\n{"name": "add_task", "arguments": {"title": "milk"}}\n</tool_call>', [MILK]],
    [
      '<tool_call>{"name":"add_task","arguments":{"title":"milk"}}</tool_call>\n<tool_call>{"name":"list_tasks","arguments":{}}</tool_call>',
      [MILK, 'list_tasks {}'],
    ],
    ['{"name": "add_task", "parameters": {"title": "milk"}}', [MILK]],
    ['{"type":"function","function":{"name":"add_task","arguments":"{\\"title\\":\\"milk\\"}"}}', [MILK]],
    ['```json\n{"name": "add_task", "arguments": {"title": "milk"}}\n```', [MILK]],
    ['[TOOL_CALLS][{"name": "add_task", "arguments": {"title": "milk"}}]', [MILK]],
    ['<|python_tag|>{"name": "add_task", "parameters": {"title": "milk"}}', [MILK]],
    ['<function=add_task>{"title": "milk"}</function>', [MILK]],
    [
      '[add_task(title="milk, and bread", count=2), list_tasks()]',
      ['add_task {"title":"milk, and bread","count":2}', 'list_tasks {}'],
    ],
    ["add_task(title='milk')", [MILK]],
  ])('reads %s', async (text, calls) => {
    const chunks = await read(text);
    expect([callsOf(chunks), isText(chunks), chunks.at(-1)]).toEqual([
      calls,
      '',
      { type: 'finish', reason: 'tool-calls' },
    ]);
  });

  it.each([
    ['an unknown tool', '{"name": "drop_tasks", "arguments": {}}'],
    ['arguments that do not fit', '{"name": "add_task", "arguments": {"name": "milk"}}'],
    ['a call beside words', '{"name": "list_tasks", "arguments": {}} Shall I?'],
    ['one wrong call among right ones', '[list_tasks(), drop_tasks()]'],
    ['other JSON', '{"answer": 42}'],
    ['a list', '[1] The first source'],
    ['half a call', '<tool_call>{"name": "list_tasks"'],
    ['a long text', `[${'word '.repeat(2_000)}]`],
    ['plain words', 'Hello there.'],
  ])('leaves %s as the answer', async (_, text) => {
    const chunks = await read(text);
    expect([callsOf(chunks), isText(chunks), chunks.at(-1)]).toEqual([[], text, { type: 'finish', reason: 'stop' }]);
  });

  it('reads nothing where no tool is offered', async () => {
    const text = '{"name": "list_tasks", "arguments": {}}';
    expect(isText(await read(text, { tools: [] }))).toBe(text);
  });

  it('sends plain words on at once', async () => {
    expect((await read('Hello there.'))[0]).toEqual({ type: 'text', text: 'Hello' });
  });
});
