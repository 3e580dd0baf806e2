import { describe, expect, it } from 'vitest';
import { AppError } from '../../errors.ts';
import { describeStartFailure, readOutput, readUnreached } from './failure.ts';
import { toOutcome } from './outcome.ts';

const say = (text: string) => ({ type: 'text' as const, text });

describe('toOutcome', () => {
  it('prefers structured content to text', () => {
    expect(toOutcome({ content: [say('{"rows":2}')], structuredContent: { rows: 2 } })).toEqual({
      result: { rows: 2 },
    });
  });

  it('joins texts', () => {
    expect(toOutcome({ content: [say('one'), say('two')] })).toEqual({ result: 'one\ntwo' });
  });

  it('names images, sounds and resources, and reads a resource that is text', () => {
    const outcome = toOutcome({
      content: [
        { type: 'image', mimeType: 'image/png', data: 'AAAA' },
        { type: 'audio', mimeType: 'audio/wav', data: 'AAA=' },
        { type: 'resource_link', name: 'report', uri: 'file:///report.pdf' },
        { type: 'resource', resource: { uri: 'memo:1', text: 'a memo' } },
        { type: 'resource', resource: { uri: 'memo:2', blob: 'AA==' } },
      ],
    });
    expect(outcome).toEqual({
      result: [
        '[image image/png, 3 bytes: cannot be shown here]',
        '[audio audio/wav, 2 bytes: cannot be shown here]',
        '[resource report: file:///report.pdf]',
        'a memo',
        '[resource memo:2, 1 bytes: cannot be shown here]',
      ].join('\n'),
    });
  });

  it('turns an error into one that the model reads', () => {
    expect(toOutcome({ isError: true, content: [say('no such file')] })).toEqual({
      error: { error_type: 'ToolInvocationError', message: 'no such file' },
    });
  });

  it('keeps a typed error as it is', () => {
    const structuredContent = { error_type: 'TaskNotFound', message: 'There is no such task.' };
    expect(toOutcome({ isError: true, content: [], structuredContent })).toEqual({ error: structuredContent });
    const _meta = { 'holodeck.dev/error': structuredContent };
    expect(toOutcome({ isError: true, content: [say('no')], _meta })).toEqual({ error: structuredContent });
  });

  it('has words for an error without any', () => {
    expect(toOutcome({ isError: true, content: [], structuredContent: { code: 4 } })).toEqual({
      error: {
        error_type: 'ToolInvocationError',
        message: 'The tool failed without giving a reason.',
        details: { code: 4 },
      },
    });
  });
});

const withCode = (code: string | number) => Object.assign(new Error('raw text'), { code });

describe('describeStartFailure', () => {
  it.each([
    ['a status', Object.assign(new Error('raw'), { data: { status: 502 } }), 'answered with HTTP 502'],
    [
      'a refusal',
      Object.assign(new Error('raw'), { data: { status: 403 } }),
      'refused the credentials (HTTP 403); check its headers',
    ],
    ['a cause inside', new Error('fetch failed', { cause: withCode('ECONNREFUSED') }), 'refused the connection'],
    ['an unknown name', withCode('ENOTFOUND'), 'has an address that is not known'],
    [
      'TLS',
      withCode('DEPTH_ZERO_SELF_SIGNED_CERT'),
      'has no certificate that can be trusted (DEPTH_ZERO_SELF_SIGNED_CERT)',
    ],
    ['a timeout', new DOMException('x', 'TimeoutError'), 'did not answer in time'],
    ['an answer of the server', withCode(-32_000), 'said: raw text'],
    ['an error of ours', new AppError('tool_unavailable', { detail: 'ended with code 3' }), 'ended with code 3'],
    ['anything else', new Error('at /secret/path'), 'could not be started; the log says more'],
    ['no error at all', 'what', 'could not be started; the log says more'],
  ])('puts %s into words', (_what, error, words) => {
    expect(describeStartFailure(error)).toBe(words);
  });
});

describe('readOutput', () => {
  it('keeps the error above a long stack trace', () => {
    const trace = Array.from({ length: 12 }, (_, index) => `    at step${index} (node:internal:${index})`);
    const output = readOutput(
      ['throw err;', "Error: Cannot find module '/x/nothere.js'", ...trace, 'Node.js v24'].join('\n'),
    );
    expect(output).toHaveLength(8);
    expect([output[0], output.at(-1)]).toEqual(["Error: Cannot find module '/x/nothere.js'", 'Node.js v24']);
  });

  it('keeps the end where that holds the error', () => {
    const output = readOutput([...Array(20).fill('  File "x.py", line 1'), 'ValueError: no key'].join('\n'));
    expect([output.length, output.at(-1)]).toEqual([8, 'ValueError: no key']);
  });
});

describe('readUnreached', () => {
  it('names the address and the cause, and no secret', async () => {
    const url = new URL('http://me:secret@127.0.0.1:1/mcp?key=secret');
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const error = new Error('probe failed', { cause: new TypeError('fetch failed', { cause: refused }) });
    expect(readUnreached(error, url)).toEqual(['nothing listens at 127.0.0.1:1']);
    expect(readUnreached(new Error('other'), url)).toEqual([]);
  });
});
