import { describe, expect, it } from 'vitest';
import { ChatRequest, MAX_FILES } from './conversation/chat.ts';
import { FileContent, FileVerdict, MIME_TYPES } from './file.ts';

const file = { content: 'aGVsbG8=', mime_type: 'text/plain', filename: 'a.txt' };

describe('FileContent', () => {
  it('takes each of the eleven types', () => {
    const taken = MIME_TYPES.filter((mime_type) => FileContent.safeParse({ ...file, mime_type }).success);
    expect([taken, taken.length]).toEqual([[...MIME_TYPES], 11]);
  });

  it.each([
    ['content that is no base64', { content: 'hello!' }, 'content'],
    ['empty content', { content: '' }, 'content'],
    ['another type', { mime_type: 'application/zip' }, 'mime_type'],
    ['no type', { mime_type: undefined }, 'mime_type'],
    ['a long name', { filename: 'x'.repeat(256) }, 'filename'],
  ])('refuses %s', (_, about, path) => {
    expect(FileContent.safeParse({ ...file, ...about }).error?.issues[0]?.path).toEqual([path]);
  });
});

describe('FileVerdict', () => {
  it.each([{ verdict: 'fine' }, { detail: undefined }, { mime_type: 'x/y' }])('refuses %j', (about) => {
    const verdict = { filename: 'a.txt', mime_type: 'text/plain', verdict: 'read', detail: '5 characters' };
    expect(FileVerdict.parse(verdict)).toEqual(verdict);
    expect(FileVerdict.safeParse({ ...verdict, ...about }).success).toBe(false);
  });
});

describe('ChatRequest', () => {
  it('takes a message, with a conversation and up to ten files', () => {
    const request = { message: 'hi', session_id: '01J9Z3V8Q4M5N6P7R8S9T0VWXY', files: Array(MAX_FILES).fill(file) };
    expect(ChatRequest.parse(request)).toEqual(request);
  });

  it.each([
    ['no message', { message: undefined }, 'message'],
    ['a conversation that is none', { session_id: '7' }, 'session_id'],
    ['eleven files', { files: Array(MAX_FILES + 1).fill(file) }, 'files'],
    ['a user of its own', { user_id: 'x' }, undefined],
  ])('refuses %s', (_, about, path) => {
    const issue = ChatRequest.safeParse({ message: 'hi', ...about }).error?.issues[0];
    expect([issue === undefined, issue?.path[0]]).toEqual([false, path]);
  });
});
