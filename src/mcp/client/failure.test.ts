import { describe, expect, it } from 'vitest';
import { AppError } from '../../errors.ts';
import { describeStartFailure } from './failure.ts';

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
