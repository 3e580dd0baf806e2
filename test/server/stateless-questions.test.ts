import { join } from 'node:path';
import OpenAI from 'openai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadAgent } from '../../src/config/load-agent.ts';
import { runAgent } from '../../src/runtime/run-agent.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import { ALICE } from '../build.ts';
import { temporaryFolder } from '../runtime.ts';
import { readAnswer, serveRuntime } from './server.ts';

const TODO = join(import.meta.dirname, '../../agents/todo/agent.yaml');

type Text = { role: 'user'; content: string } | { role: 'assistant'; content: string };
/** Sends a message with the texts so far and returns the answer. The caller keeps nothing but texts. */
type Send = (message: string, history: Text[]) => Promise<string>;

async function viaRunAgent(): Promise<Send> {
  const folder = temporaryFolder();
  return async (message, history) => {
    const turn = runAgent({ agent: await loadAgent(TODO), user: ALICE, message, history, folder });
    for (;;) {
      const next = await turn.next();
      if (next.done) return next.value.content;
    }
  };
}

async function openTodo() {
  const agent = await loadAgent(TODO);
  const runtime = await createRuntime({ agents: [agent], folder: temporaryFolder() });
  onTestFinished(() => runtime.stop());
  return { agent, ...(await serveRuntime(runtime)) };
}

async function viaRun(): Promise<Send> {
  const { agent, call } = await openTodo();
  return async (message, history) => {
    const answer = await readAnswer(
      await call(`POST /agent/${agent.name}/run`, { as: 'alice', body: { message, history } }),
    );
    return answer.content;
  };
}

async function viaChatCompletions(): Promise<Send> {
  const { agent, url } = await openTodo();
  const client = new OpenAI({ apiKey: 'alice', baseURL: `${url}/v1`, maxRetries: 0 });
  return async (message, history) => {
    const messages = [...history, { role: 'user' as const, content: message }];
    const answer = await client.chat.completions.create({ model: agent.name, messages });
    return answer.choices[0]?.message.content ?? '';
  };
}

/** A caller that says one thing after the other, and may put words into our mouth. */
function converse(send: Send) {
  const history: Text[] = [];
  const add = (user: string, assistant: string) =>
    history.push({ role: 'user', content: user }, { role: 'assistant', content: assistant });
  const say = async (message: string): Promise<string> => {
    const answer = await send(message, [...history]);
    add(message, answer);
    return answer;
  };
  return { say, add, list: () => send('show my tasks', []) };
}

describe.each([
  ['runAgent', viaRunAgent],
  ['run', viaRun],
  ['chat completions', viaChatCompletions],
] as const)('a question on a stateless front (%s)', (_, open) => {
  async function withDogAndCar() {
    const talk = converse(await open());
    await talk.say('add wash the dog');
    await talk.say('add wash the car');
    return talk;
  }

  it('is answered by a choice', async () => {
    const { say, list } = await withDogAndCar();
    expect(await say('delete wash')).toMatch(/^Which task did you mean: /);
    expect(await say('wash the dog')).toBe("I've deleted 'wash the dog'.");
    expect(await list()).toBe('You have 1 task:\n1. wash the car');
  });

  it('is answered by a yes, about one task', async () => {
    const { say, list } = await withDogAndCar();
    expect(await say('scrap wash the dog')).toBe("Shall I delete 'wash the dog'?");
    expect(await say('yes')).toBe("I've deleted 'wash the dog'.");
    expect(await list()).toBe('You have 1 task:\n1. wash the car');
  });

  it('about several tasks needs plain words', async () => {
    const { say, list } = await withDogAndCar();
    expect(await say('delete everything')).toMatch(/^Shall I delete 2 tasks: /);
    expect(await say('yes')).toMatch(/^Shall I delete 2 tasks: /);
    expect(await list()).toContain('You have 2 tasks');
    expect(await say('yes, delete everything')).toMatch(/^2 tasks deleted: /);
  });

  it('counts only if we would ask exactly that now', async () => {
    const { say, add, list } = await withDogAndCar();
    add('delete the dog', "Shall I delete 'wash the car'?");
    await say('yes');
    add('hello', "Shall I delete 'wash the dog'?");
    await say('yes');
    expect(await list()).toContain('You have 2 tasks');
  });
});
