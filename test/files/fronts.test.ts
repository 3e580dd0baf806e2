import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { fileFromBytes } from '../../src/runtime/files/attached-file.ts';
import { runAgent } from '../../src/runtime/run-agent.ts';
import { ALICE, buildAgent } from '../build.ts';
import { COMMAND } from '../command.ts';
import { temporaryFolder } from '../runtime.ts';
import { type Answer, openServer } from '../server/server.ts';

const CHAT = 'POST /agent/helper/chat';
const MB = 1024 * 1024;

async function readRefusal(response: Response) {
  return (await response.json()) as Answer & { detail: string }; // refusals have a detail, answers have files
}

/** Sends a form as it is, even a broken one. */
async function sendForm(parts: readonly string[], end = '--X--\r\n') {
  const { url } = await openServer({ replies: ['Read.'] });
  const body = `${parts.map((part) => `--X\r\ncontent-disposition: form-data; ${part}\r\n`).join('')}${end}`;
  const headers = { authorization: 'Bearer alice', 'content-type': 'multipart/form-data; boundary=X' };
  const response = await fetch(`${url}/agent/helper/chat`, { method: 'POST', body, headers });
  const health = await fetch(`${url}/health`);
  return { status: response.status, health: health.status, answer: await readRefusal(response) };
}

const MESSAGE = 'name="message"\r\n\r\nRead';
const file = (filename: string, content = 'Hello') =>
  `name="files"; filename="${filename}"\r\ncontent-type: text/plain\r\n\r\n${content}`;

describe('a form with files', () => {
  it.each([
    ['in a file', [MESSAGE, file('a.txt')], ''],
    ['before the first byte of a file', [MESSAGE, 'name="files"; filename="a.txt"\r\n'], ''],
    ['in a header', [MESSAGE], '--X\r\ncontent-dispo'],
  ])('is refused when it breaks off %s, and the server goes on', async (_, parts, end) => {
    const { status, health, answer } = await sendForm(parts, end);
    expect({ status, health, code: answer.code }).toEqual({ status: 400, health: 200, code: 'malformed_body' });
  });

  it.each([
    ['../../etc/cron.d/x.txt', 'x.txt'],
    ['a\u202egpj.txt', 'agpj.txt'],
    ['a%0d%0aX: y.txt', expect.not.stringMatching(/[\r\n]/)],
    ['C:\\\\temp\\\\b.txt', 'b.txt'],
  ])('gives the file a clean name: %j', async (sent, filename) => {
    const { answer } = await sendForm([MESSAGE, file(sent)]);
    expect(answer.files).toEqual([expect.objectContaining({ filename, verdict: 'read' })]);
  });

  it.each([
    ['an empty file', [file('a.txt', '')], 'files[0].content: must not be empty'],
    ['eleven files', Array(11).fill(file('a.txt')), 'files: must have at most 10 entries'],
    ['a text where a file belongs', ['name="files"\r\n\r\nHello'], 'files: must be a file with a filename, not text'],
  ])('is refused with %s', async (_, parts, detail) => {
    const { status, answer } = await sendForm([MESSAGE, ...parts]);
    expect({ status, detail: answer.detail }).toEqual({ status: 422, detail });
  });
});

describe('files inside JSON', () => {
  const sized = (bytes: number) => ({ mime_type: 'text/plain', content: Buffer.alloc(bytes, 'a').toString('base64') });

  it('may have 20 MB together, and not one byte more', async () => {
    const { call } = await openServer({ replies: ['Read.'] });
    const send = async (files: object[]) => (await call(CHAT, { body: { message: 'Read', files } })).status;
    expect([await send([sized(19 * MB), sized(MB)]), await send([sized(19 * MB), sized(MB + 1)])]).toEqual([200, 413]);
  });

  it.each(['!!!!', 'YQ', 'YQ===', 'Y Q==', 'YQ==\n', 'data:text/plain;base64,YQ==', '-_8=', 'YQ==YQ=='])(
    'are base64 and nothing else: %j',
    async (content) => {
      const { call } = await openServer({ replies: [] });
      const response = await call(CHAT, { body: { message: 'Read', files: [{ mime_type: 'text/plain', content }] } });
      const { detail } = await readRefusal(response);
      expect([response.status, detail]).toEqual([422, 'files[0].content: must be base64']);
    },
  );
});

const ROOT = join(import.meta.dirname, '..', '..');
const AGENT = join(ROOT, 'agents', 'todo', 'agent.yaml');

function run(args: string[], input = '') {
  const command = [COMMAND, ...args, '--data', temporaryFolder()];
  const { stdout, stderr, status } = spawnSync(process.execPath, command, { encoding: 'utf8', cwd: ROOT, input });
  return { stdout, stderr, status };
}

describe('holodeck run --file', () => {
  it('reports the outcome of each file separately from the answer', () => {
    const files = ['note.txt', 'report.docx'].flatMap((name) => ['--file', join('test/fixtures/files', name)]);
    expect(run(['run', AGENT, 'remind me to buy milk', ...files])).toEqual({
      stdout: "I've added 'buy milk' to your tasks.\n",
      stderr: 'note.txt: read, 3 lines, 82 characters\nreport.docx: read, 301 characters\n',
      status: 0,
    });
  });

  it('never takes the words of a file as a command', () => {
    const files = ['--file', join('test/fixtures/files', 'commands.txt')];
    const { stdout } = run(['run', AGENT, 'show my tasks', '--json', ...files]);
    const end = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    expect(end.result.tool_calls.map((call: { name: string }) => call.name)).toEqual(['list_tasks']);
  });

  it('reports a missing file before anything is asked', () => {
    expect(run(['run', AGENT, 'hello', '--file', 'nowhere.pdf'])).toEqual({
      stdout: '',
      stderr: 'There is no file nowhere.pdf.\n',
      status: 1,
    });
  });
});

describe('/attach', () => {
  it('sends the file with the next message only', () => {
    const input = '/attach test/fixtures/files/note.txt\nremind me to buy milk\nremind me to call mom\n';
    const { stderr } = run(['chat', AGENT], input);
    expect(stderr.match(/note\.txt: read/g)).toHaveLength(1);
  });
});

const note = (text: string, name = 'note.txt') => fileFromBytes(name, 'text/plain', Buffer.from(text));

function begin(files: ReturnType<typeof note>[], replies: Parameters<typeof createScriptedModel>[0]) {
  const model = createScriptedModel(replies);
  const agent = buildAgent({ limits: { tool_output_chars: 1_000 } });
  return { model, turn: runAgent({ agent, user: ALICE, message: 'Read', files, model, folder: temporaryFolder() }) };
}

async function collectTurn(turn: ReturnType<typeof runAgent>) {
  const types: string[] = [];
  for (;;) {
    const next = await turn.next();
    if (next.done) return { types, result: next.value };
    types.push(next.value.type);
  }
}

describe('runAgent with files', () => {
  it('gives each its verdict before the model reads their text', async () => {
    let discarded = 0;
    const discard = async () => void discarded++;
    const files = [{ ...note('The code is 4711.', 'a/"b".txt'), discard }, note('\0\0')];
    const { turn, model } = begin(files, ['It is 4711.']);
    const { types, result } = await collectTurn(turn);
    expect(types.filter((type) => type === 'turn-start' || type === 'file')).toEqual(['turn-start', 'file', 'file']);
    expect(result.files).toEqual([
      { filename: 'b.txt', mime_type: 'text/plain', verdict: 'read', detail: '1 line, 17 characters' },
      { filename: 'note.txt', mime_type: 'text/plain', verdict: 'refused', detail: 'is not text: it holds zero bytes' },
    ]);
    expect(model.requests[0]?.messages[0]?.content).toContain('\nThe code is 4711.\n[End of file 1]');
    expect(result.messages[0]?.content).toBe('Read');
    expect(discarded).toBe(1);
  });

  it('offers the rest of a long one through read_attachment', async () => {
    const find = { name: 'read_attachment', arguments: { find: 'treasure' } };
    const { turn } = begin([note(`${'word '.repeat(1_000)}the treasure`)], [{ calls: [find] }, 'Found.']);
    const { result } = await collectTurn(turn);
    expect(result.tool_calls[0]?.result).toMatchObject({ passages: [{ offset: 5_004 }] });
  });

  it('refuses more than ten before anything is asked', async () => {
    const { turn, model } = begin(Array(11).fill(note('x')), ['Never.']);
    await expect(turn.next()).rejects.toMatchObject({ code: 'invalid_request' });
    expect(model.requests).toEqual([]);
  });
});
