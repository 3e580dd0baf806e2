import { describe, expect, it } from 'vitest';
import { fixture } from '../files/read-fixture.ts';
import { openServer, readAnswer, readFrames } from './server.ts';

const CHAT = 'POST /agent/helper/chat';
const verdict = { filename: 'note.txt', mime_type: 'text/plain', verdict: 'read', detail: '1 line, 5 characters' };
const inline = { filename: 'note.txt', mime_type: 'text/plain', content: Buffer.from('Hello').toString('base64') };

describe('files over HTTP', () => {
  it('come as base64 in JSON', async () => {
    const { call, model } = await openServer({ replies: ['Read.'] });
    const answer = await readAnswer(await call(CHAT, { body: { message: 'Read', files: [inline] } }));
    expect(answer).toMatchObject({ content: 'Read.', files: [verdict] });
    expect(model.requests[0]?.messages[0]?.content).toContain('\nHello\n[End of file 1]');
  });

  it('come as a form, whose file name gives the type if the program did not know it', async () => {
    const { url } = await openServer({ replies: ['Read.'] });
    const form = new FormData();
    form.append('message', 'Read');
    form.append('files', new Blob([fixture('report.docx')], { type: 'application/octet-stream' }), '../report.docx');
    form.append('files', new Blob(['Hello'], { type: 'text/plain' }), 'note.txt');
    const headers = { authorization: 'Bearer alice' };
    const response = await fetch(`${url}/agent/helper/chat`, { method: 'POST', body: form, headers });
    const { files } = await readAnswer(response);
    expect(files).toEqual([expect.objectContaining({ filename: 'report.docx', verdict: 'read' }), verdict]);
  });

  it('are reported as events of the stream', async () => {
    const { call } = await openServer({ replies: ['Read.'] });
    const response = await call('POST /agent/helper/chat/stream', { body: { message: 'Read', files: [inline] } });
    const text = await response.text();
    expect(text).toContain(`event: file\ndata: ${JSON.stringify({ type: 'file', ...verdict })}`);
  });

  it.each([
    ['data', { type: 'data', value: inline.content, mimeType: 'text/plain' }, 'read'],
    ['url', { type: 'url', value: 'http://127.0.0.1/secret', mimeType: 'text/plain' }, 'refused'],
    ['file', { type: 'file', value: 'id-1', mimeType: 'text/plain' }, 'refused'],
  ])('come as AG-UI parts with data, and not otherwise: %s', async (_name, source, expected) => {
    const { call, model } = await openServer({ replies: ['Read.'] });
    const content = [
      { type: 'text', text: 'Read' },
      { type: 'document', source, metadata: { filename: 'note.txt' } },
    ];
    const messages = [{ id: 'm', role: 'user', content }];
    const body = { threadId: 't', runId: 'r', state: {}, messages, tools: [], context: [], forwardedProps: {} };
    const response = await call('POST /awp', { body });
    const files = (await readFrames(response)).filter(({ data }) => data.name === 'file');
    expect(files.map(({ data }) => data.value)).toMatchObject([{ filename: 'note.txt', verdict: expected }]);
    expect(model.requests).toHaveLength(1);
  });
});
