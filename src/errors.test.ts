import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError, type ErrorCode, toAppError } from './errors.ts';

const aboutCode = (code: ErrorCode) => {
  const { title, status, exitCode, errorType } = new AppError(code, { detail: 'x' });
  return { title, status, exitCode, errorType };
};

describe('AppError', () => {
  it('carries what its reader needs, and says the detail as its message', () => {
    const cause = new Error('socket');
    const problems = [{ path: 'message', message: 'must not be empty' }];
    const error = new AppError('rate_limited', { detail: 'Slow down.', problems, retryAfterSeconds: 3, cause });
    expect({ ...error, message: error.message, cause: error.cause }).toEqual({
      name: 'AppError',
      code: 'rate_limited',
      message: 'Slow down.',
      problems,
      retryAfterSeconds: 3,
      cause,
    });
  });

  it('says where it was thrown, unless it only refuses', () => {
    const lines = (code: ErrorCode) => new AppError(code, { detail: 'x' }).stack?.split('\n').length;
    expect([lines('over_capacity'), lines('rate_limited')]).toEqual([1, 1]);
    expect(lines('internal')).toBeGreaterThan(2);
  });

  it.each<[ErrorCode, number, number, string]>([
    ['config_invalid', 500, 1, 'ValidationError'],
    ['invalid_request', 422, 1, 'ValidationError'],
    ['unauthorized', 401, 1, 'UnauthorizedError'],
    ['conversation_not_found', 404, 1, 'ValidationError'],
    ['awaiting_input', 409, 1, 'ValidationError'],
    ['over_capacity', 429, 1, 'Timeout'],
    ['model_timeout', 504, 3, 'Timeout'],
    ['tool_unavailable', 502, 2, 'ToolInvocationError'],
    ['port_in_use', 500, 2, 'ValidationError'],
  ])('%s answers %d over HTTP, ends a command with %d and is a %s', (code, status, exitCode, errorType) => {
    expect(aboutCode(code)).toEqual({ title: expect.stringMatching(/^[A-Z].+[^.]$/), status, exitCode, errorType });
  });
});

describe('the table of codes', () => {
  it('holds no code that nothing makes', () => {
    const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');
    const files = globSync('**/*.ts', { cwd: import.meta.dirname }).filter((file) => !file.endsWith('.test.ts'));
    const source = files.map(read).join('\n');
    const codes = [...read('errors.ts').matchAll(/^ {2}(\w+): \{/gm)].map(([, code]) => code ?? '');
    // A comparison makes nothing.
    const isMade = (code: string) => new RegExp(`(?<![!=]== )'${code}'`).test(source);
    expect(codes.length).toBeGreaterThan(30);
    expect(codes.filter((code) => !isMade(code))).toEqual([]);
  });
});

describe('toAppError', () => {
  it('leaves an AppError as it is', () => {
    const error = new AppError('not_found', { detail: 'gone' });
    expect(toAppError(error)).toBe(error);
  });

  it.each([new Error('password in /srv/app.ts'), 'password', undefined])(
    'hides the text of %s in the cause',
    (thrown) => {
      const { code, message, cause } = toAppError(thrown);
      expect({ code, message, cause }).toEqual({
        code: 'internal',
        message: 'Something went wrong on our side. Please try again.',
        cause: thrown,
      });
    },
  );
});
