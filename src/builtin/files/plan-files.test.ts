import { describe, expect, it } from 'vitest';
import type { FileNote, MimeType } from '../../schema/file.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { Tool } from '../../tools/tool.ts';
import { createBuiltinModel } from '../builtin-model.ts';
import { openTalk, type Said, taskTools } from '../talk-fixture.ts';

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const TYPES: Readonly<Record<string, MimeType>> = {
  pdf: 'application/pdf',
  png: 'image/png',
  txt: 'text/plain',
  docx: `${OFFICE}.wordprocessingml.document`,
  xlsx: `${OFFICE}.spreadsheetml.sheet`,
  pptx: `${OFFICE}.presentationml.presentation`,
};
const note = (filename: string): FileNote => ({
  filename,
  mime_type: TYPES[filename.split('.').at(-1) ?? ''] ?? 'text/plain',
  size: 1,
});

interface Kept {
  filename: string;
  text: string;
  verdict?: string;
  detail?: string;
}
const keep = (...names: string[]): Kept[] => names.map((filename) => ({ filename, text: `Text of ${filename}.` }));

/** Reads like the runtime's tool. */
function readTool(files: readonly Kept[]): Tool {
  return {
    name: 'read_attachment',
    description: 'Reads the text of a file that the user attached to this conversation.',
    inputSchema: {
      type: 'object',
      properties: {
        file: { type: 'integer', minimum: 1, maximum: files.length },
        offset: { type: 'integer', minimum: 0 },
        find: { type: 'string', minLength: 1 },
      },
    },
    source: 'holodeck',
    run: async (args) => ({ result: readFile(files, args) }),
  };
}

function readFile(files: readonly Kept[], args: JsonObject): JsonObject {
  const { text = '', ...file } = files[Number(args.file ?? files.length) - 1] ?? {};
  const facts = { ...file, total_chars: text.length };
  const offset = Number(args.offset ?? 0);
  if (args.find === undefined) return { ...facts, text: text.slice(offset), next_offset: text.length };
  return { ...facts, passages: text.includes(String(args.find)) ? [{ offset: 0, text }] : [] };
}

const open = (files: readonly Kept[], others: Tool[] = taskTools()) =>
  openTalk({
    tools: [...others, readTool(files)],
    ...(others.length === 0 && { model: createBuiltinModel({ agent: { intents: {} } }) }),
  });
const ask = (text: string, ...names: string[]) => open(keep(...names)).say(text, names.map(note));
const read = (said: Said) =>
  said.calls.map((call) => (call.name === 'read_attachment' ? call.arguments.file : call.name));

describe('several files', () => {
  it.each<[string, string[], unknown[]]>([
    ['What does the invoice say?', ['invoice.pdf', 'numbers.xlsx'], [1]],
    ['what is in numbers.xlsx?', ['invoice.pdf', 'numbers.xlsx'], [2]],
    ['what does the picture show?', ['cat.png', 'invoice.pdf'], [1]],
    ['read me the letter', ['a.docx', 'b.xlsx'], [1]],
    ['summarize the table', ['a.xlsx', 'b.docx', 'c.pdf'], [1]],
    ['what do the slides say?', ['a.pptx', 'b.docx'], [1]],
    ['read the second file', ['a.txt', 'b.txt', 'c.txt'], [2]],
    ['compare the invoice with the table', ['invoice.pdf', 'b.xlsx', 'c.png'], [1, 2]],
    ['what do both say?', ['a.txt', 'b.txt'], [1, 2]],
    ['what does it say?', ['a.txt', 'b.txt'], [1, 2]],
    ['read all of them', ['a.txt', 'b.txt', 'c.txt', 'd.txt'], [1, 2, 3, 4]],
    ['what is the total of the invoice?', ['Invoice_2026-11.pdf', 'photo.png'], [1]],
  ])('%s %j', async (text, names, numbers) => {
    expect(read(await ask(text, ...names))).toEqual(numbers);
  });

  it('asks which of many is meant, and takes the answer', async () => {
    const names = ['a.txt', 'b.txt', 'c.txt', 'contract.pdf'];
    const { say } = open(keep(...names));
    const question = 'There are 4 files: a.txt, b.txt, c.txt and contract.pdf. Which one should I read?';
    expect((await say('what does it say?', names.map(note))).text).toBe(question);
    expect((await say('the contract')).text).toBe('contract.pdf says:\n\nText of contract.pdf.');
  });

  it('shows each under its name', async () => {
    expect((await ask('read both', 'a.txt', 'b.txt')).text).toBe(
      'a.txt says:\n\nText of a.txt.\n\nb.txt says:\n\nText of b.txt.',
    );
  });

  it('keeps the lines of text, and leaves Markdown as it is', async () => {
    const text = 'Milk  2.50\nTea 3.00\n\nTotal 5.50';
    const say = (filename: string) => open([{ filename, text }]).say('read it', [note(filename)]);
    expect((await say('a.txt')).text).toBe('a.txt says:\n\nMilk  2.50  \nTea 3.00\n\nTotal 5.50');
    expect((await say('a.md')).text).toBe(`a.md says:\n\n${text}`);
  });

  it('counts files that are out of sight, and finds earlier ones by name', async () => {
    const { say } = open(keep('old.txt', 'invoice.pdf', 'b.txt'));
    expect(read(await say('read both', [note('invoice.pdf'), note('b.txt')]))).toEqual([2, 3]);
    await say('add buy milk');
    expect(read(await say('what does the invoice say?'))).toEqual([2]);
  });
});

describe('a question about a file that came with it', () => {
  it.each([
    'what does it say?',
    'read it',
    'Read this please',
    'what is this?',
    "what's in it?",
    'can you summarize it for me?',
    'tell me what it says',
    'what does it say about the deposit?',
    'What does the report say?',
    'how much do I owe them?',
  ])('%s', async (text) => {
    const said = await ask(text, 'report.docx');
    expect([said.text, read(said)]).toEqual(['report.docx says:\n\nText of report.docx.', [1]]);
  });

  it.each([
    ['add a task to read the report', ['add_task']],
    ['remind me to pay the invoice', ['add_task']],
    ['read the report tomorrow', ['add_task']],
    ['what are my tasks?', ['list_tasks']],
    ['what do I have to do before the report?', ['list_tasks']],
  ])('%s is none', async (text, calls) => {
    expect(read(await ask(text, 'report.docx'))).toEqual(calls);
  });

  it('is about the list where there is no file', async () => {
    expect(read(await openTalk().say('read it'))).toEqual(['list_tasks']);
  });

  it('is answered by an agent without tools of its own', async () => {
    const { say } = open(keep('report.docx'), []);
    expect((await say('what does it say?', [note('report.docx')])).text).toContain('report.docx says:');
  });

  it('finds a text', async () => {
    const { say } = open([{ filename: 'contract.pdf', text: 'A deposit of 100.' }]);
    expect((await say('find the deposit in the contract', [note('contract.pdf')])).text).toBe(
      "contract.pdf says of 'deposit':\n\n- …A deposit of 100.…",
    );
    expect((await say('find cats in the contract')).text).toBe("contract.pdf says nothing of 'cats'.");
  });
});

describe('a long file', () => {
  const text = Array.from({ length: 1_300 }, (_, index) => `word${index}`).join(' ');

  it('is shown in pages that together are the whole', async () => {
    const { say } = open([{ filename: 'long.txt', text }]);
    const more = '\n\nThere is more; ask me to read on.';
    const pages = [await say('read it', [note('long.txt')]), await say('read on'), await say('more')];
    const told = pages.map((page) => page.text.replace(/^long\.txt (?:says|goes on):\n\n/, '').replace(more, ''));
    expect(told.join(' ')).toBe(text);
    expect(pages.map((page) => page.text.endsWith(more))).toEqual([true, true, false]);
    expect((await say('read on')).text).toBe('That was all of long.txt.');
  });

  it('names the files among several that have more text', async () => {
    const { say } = open([{ filename: 'long.txt', text }, ...keep('b.txt')]);
    const said = await say('read both', [note('long.txt'), note('b.txt')]);
    expect(said.text).toMatch(/Text of b\.txt\.\n\nThere is more of long\.txt; ask me to read on\.$/);
    expect((await say('continue')).calls).toEqual([
      { name: 'read_attachment', arguments: { file: 1, offset: expect.any(Number) } },
    ]);
  });
});

describe('a file that could not be read', () => {
  it.each([
    [
      { text: '', verdict: 'refused', detail: 'is protected by a password' },
      "I couldn't read a.pdf: it is protected by a password.",
    ],
    [{ text: '', verdict: 'refused', detail: 'page 1 is blank' }, "I couldn't read a.pdf: page 1 is blank."],
    [
      { text: 'Hello.', verdict: 'partly', detail: '2 pages; page 2 is damaged' },
      'I could read only a part of a.pdf: 2 pages; page 2 is damaged.\n\na.pdf says:\n\nHello.',
    ],
    [{ text: '' }, 'I found no text in a.pdf.'],
  ])('%j', async (kept, text) => {
    const { say } = open([{ filename: 'a.pdf', ...kept }]);
    expect((await say('what does it say?', [note('a.pdf')])).text).toBe(text);
  });

  it('is named if no file can be read', async () => {
    const said = await openTalk().say('what does it say?', [note('a.pdf')]);
    expect([said.text, said.calls]).toEqual(["I couldn't read a.pdf.", []]);
  });
});
