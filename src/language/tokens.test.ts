import { describe, expect, it } from 'vitest';
import { findTokens } from './tokens.ts';

describe('findTokens', () => {
  it.each([
    ['see https://a.org/x?y=1.', [['url', 'https://a.org/x?y=1']]],
    ['write to ann@example.org, please', [['email', 'ann@example.org']]],
    [
      'ping 10.0.0.1 and db.example.com',
      [
        ['ip', '10.0.0.1'],
        ['host', 'db.example.com'],
      ],
    ],
    [
      'copy notes/old.md to hello.txt',
      [
        ['path', 'notes/old.md'],
        ['path', 'hello.txt'],
      ],
    ],
    [
      'order B-90817 of SK123 in v1.2.3',
      [
        ['code', 'B-90817'],
        ['code', 'SK123'],
        ['code', 'v1.2.3'],
      ],
    ],
    [
      'from v2.14 back to v2.13 on feature/cart',
      [
        ['code', 'v2.14'],
        ['code', 'v2.13'],
        ['code', 'feature/cart'],
      ],
    ],
    ['a well-known to-do for 30km on the 4th', []],
  ])('%s', (text, tokens) => {
    expect(findTokens(text).map(({ kind, value }) => [kind, value])).toEqual(tokens);
  });
});
