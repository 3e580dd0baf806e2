import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import type { Post } from '../../models/http-post.ts';
import { createRedactor } from '../../redaction/redactor.ts';
import type { JsonObject } from '../../schema/json.ts';
import { recordPost } from './wire.ts';

it('records a picture by its hash, so that a cassette stays small and another picture is noticed', async () => {
  const kept: JsonObject[] = [];
  const post: Post = async () => ({
    status: 200,
    headers: {},
    body: Readable.from([]),
    release: () => {},
    close: () => {},
  });
  const record = recordPost(post, {
    keep: (request) => kept.push(request),
    elapsedMs: () => 0,
    redactor: createRedactor({}),
  });
  const send = async (picture: Buffer) => {
    const url = `data:image/png;base64,${picture.toString('base64')}`;
    const body = JSON.stringify({ text: 'What is this?', image_url: { url } });
    const reply = await record({ url: new URL('http://model'), headers: {}, body, signal: AbortSignal.any([]) });
    reply.release();
  };
  await send(Buffer.alloc(1_000_000, 1));
  await send(Buffer.alloc(1_000_000, 2));
  const [first, second] = kept.map(({ body }) => JSON.stringify(body));
  expect(first).toMatch(/^{"text":"What is this\?","image_url":{"url":"sha256:[\da-f]+"}}$/);
  expect(second).not.toBe(first);
});
