import { describe, expect, it } from 'vitest';
import { ALICE, BOB, buildTool } from '../../test/build.ts';
import { collect, openRuntime } from '../../test/runtime.ts';
import type { ModelRequest } from '../models/model.ts';
import type { ScriptedReply } from '../models/scripted.ts';
import type { JsonObject } from '../schema/json.ts';
import type { User } from '../schema/user.ts';
import { createClientTool } from './turn/client-tools.ts';

/** A schema that counts how often it is traversed. */
function countWalks(schema: JsonObject): { schema: JsonObject; walks(): number } {
  let walks = 0;
  const counted = new Proxy(schema, {
    ownKeys(target) {
      walks++;
      return Reflect.ownKeys(target);
    },
  });
  return { schema: counted, walks: () => walks };
}

const COUNT = 10;
const schemaOf = () => ({
  type: 'object',
  properties: { user_id: { type: 'string' }, text: { type: 'string' } },
  required: ['user_id', 'text'],
});
/** Replies with a call, then with an answer, for any number of turns. */
const callThenAnswer = ({ messages }: ModelRequest): ScriptedReply =>
  messages.at(-1)?.role === 'tool' ? 'Done.' : { calls: [{ name: 'note', arguments: { text: 'hi' } }] };

describe('the tools of an agent', () => {
  it('are reduced and compiled once per list of tools, whoever asks and however often', async () => {
    const counted = countWalks(schemaOf());
    const note = buildTool({ name: 'note', inputSchema: counted.schema, bind: { user_id: '$user.id' } });
    const { runtime, model } = await openRuntime({ replies: callThenAnswer, tools: [note] });
    const ask = async (user: User) => collect(await runtime.chat(user, { agent: 'helper', message: 'note it' }));
    const [first] = await Promise.all([ask(ALICE)]);
    const walksOfOne = counted.walks();
    for (let turn = 1; turn < COUNT; turn++) await ask(turn % 2 ? BOB : ALICE);
    const schemas = new Set(model.requests.flatMap(({ tools }) => tools.map((tool) => tool.inputSchema)));
    expect({
      ended: first?.find((event) => event.type === 'tool-call-end')?.call.result,
      requests: model.requests.length,
      schemas: schemas.size,
      walksAfterTheFirst: counted.walks() - walksOfOne,
    }).toEqual({ ended: { text: 'hi', user_id: ALICE.id }, requests: 2 * COUNT, schemas: 1, walksAfterTheFirst: 0 });
  });

  it('are compiled once although a front end sends its own with every request', async () => {
    const own = countWalks(schemaOf());
    const note = buildTool({ name: 'note', inputSchema: own.schema, bind: { user_id: '$user.id' } });
    const { runtime, model } = await openRuntime({ replies: Array(COUNT).fill('Hello.'), tools: [note] });
    for (let turn = 0; turn < COUNT; turn++) {
      const clientTools = [createClientTool({ name: 'show', description: 'Shows it', inputSchema: schemaOf() })];
      await collect(await runtime.chat(ALICE, { agent: 'helper', message: 'hello', clientTools }));
    }
    const schemas = new Set(model.requests.flatMap(({ tools }) => tools.map((tool) => tool.inputSchema)));
    expect([model.requests.length, schemas.size]).toEqual([COUNT, 2]);
  });

  it('are compiled anew when the list changes', async () => {
    const tools = [buildTool({ name: 'one' })];
    const { runtime, model } = await openRuntime({ replies: ['First.', 'Second.'], tools });
    await collect(await runtime.chat(ALICE, { agent: 'helper', message: 'hello' }));
    tools.push(buildTool({ name: 'two' }));
    await collect(await runtime.chat(ALICE, { agent: 'helper', message: 'hello' }));
    expect(model.requests.map((request) => request.tools.map((tool) => tool.name))).toEqual([['one'], ['one', 'two']]);
  });
});
