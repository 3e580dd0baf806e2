import { describe, expect, it } from 'vitest';
import { redactJson, redactText } from './redact.ts';

describe('redactText', () => {
  it.each([
    ['key sk-abcdef1234567890', 'key [redacted]'],
    ['Authorization: Bearer abc.def-123', 'Authorization: [redacted]'],
    ['postgres://me:hunter2@db/x', 'postgres://me:[redacted]@db/x'],
    ['eyJhbGciOiJI.eyJzdWIiOiIx.abc', '[redacted]'],
    ['an ordinary sentence', 'an ordinary sentence'],
  ])('of %s', (text, expected) => {
    expect(redactText(text)).toBe(expected);
  });

  it('cuts what is too long', () => {
    expect(redactText('x'.repeat(9000)).length).toBe(8001);
  });
});

describe('redactJson', () => {
  it('hides the values of secret keys at any depth', () => {
    const value = { user: 'ann', nested: [{ api_key: 'abc', password: 'x', note: 'fine' }] };
    expect(redactJson(value)).toBe(
      '{"user":"ann","nested":[{"api_key":"[redacted]","password":"[redacted]","note":"fine"}]}',
    );
  });
});
