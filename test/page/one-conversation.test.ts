import OpenAI from 'openai';
import { expect, it } from 'vitest';
import { call, say } from '../terminal/session.ts';
import { openPages } from './pages.ts';
import { openProgram } from './program.ts';

const pages = openPages();
const CTRL_D = '\u0004';

it('one conversation is begun over OpenAI’s API, continued in the terminal and finished on the page', async () => {
  const { model, serve, chat, effects, stored } = await openProgram([
    call(['look', { city: 'Oslo' }]),
    say('Oslo is clear.'),
    call(['look', { city: 'Rome' }]),
    say('Rome is clear too.'),
    call(['wipe', { disk: 'sda1' }]),
    say('The disk is wiped.'),
  ]);
  const { url } = await serve();

  const client = new OpenAI({ apiKey: 'any', baseURL: `${url}/v1`, maxRetries: 0 });
  const begun = await client.chat.completions.create({
    model: 'helper',
    messages: [{ role: 'user', content: 'how is Oslo?' }],
    metadata: { session_id: 'our talk' },
  });
  expect(begun.choices[0]?.message.content).toBe('Oslo is clear.');

  const terminal = chat(['--resume']);
  expect(await terminal.until(/\n> ?$/)).toContain('> how is Oslo?\nOslo is clear.');
  terminal.type('and Rome?\r');
  await terminal.until('Rome is clear too.');
  await terminal.until(/\n> ?$/);
  terminal.type(CTRL_D);
  expect(await terminal.exit).toBe(0);

  const listed = (await (await fetch(`${url}/sessions`)).json()) as { sessions: { session_id: string }[] }; // as the API has it
  expect(listed.sessions).toHaveLength(1);
  const id = listed.sessions[0]?.session_id;
  const screen = await pages.open(`${url}/?c=${id}`);
  await screen.page.getByText('Rome is clear too.', { exact: true }).waitFor();
  await screen.page.getByText('Oslo is clear.', { exact: true }).waitFor();
  await screen.ask('wipe sda1');
  await screen.until('waiting');
  expect(effects()).toEqual(['look Oslo', 'look Rome']);
  await screen.button('Allow once').click();
  await screen.until('completed');
  expect(await screen.answer.innerText()).toContain('The disk is wiped.');

  const { messages, calls } = await stored(id);
  const texts = messages.filter((text) => !text.startsWith('tool') && text !== 'assistant: ');
  expect(texts).toEqual([
    'user: how is Oslo?',
    'assistant: Oslo is clear.',
    'user: and Rome?',
    'assistant: Rome is clear too.',
    'user: wipe sda1',
    'assistant: The disk is wiped.',
  ]);
  expect(calls.map(({ name, state }) => `${name} ${state}`)).toEqual([
    'look completed',
    'look completed',
    'wipe completed',
  ]);
  expect(effects()).toEqual(['look Oslo', 'look Rome', 'wipe sda1']);
  const last = JSON.stringify(model.requests.at(-1)?.body);
  for (const text of ['how is Oslo?', 'and Rome?', 'wipe sda1']) expect(last).toContain(text);
});
