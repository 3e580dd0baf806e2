import { describe, expect, it } from 'vitest';
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
