import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildAgent } from '../../../test/build.ts';
import { temporaryFolder } from '../../../test/runtime.ts';
import { exactJson, readDecision, warnContext } from './answer.ts';
import type { Chat } from './chat.ts';
import { takePageHint } from './converse.ts';

it.each([
  ['a model', { provider: 'ollama', name: 'qwen3' }, 1],
  ['the built-in model, which needs no summary', { provider: 'builtin' }, 0],
])('warns at 80 %% of the context of %s', (_, model, warnings) => {
  const printed: string[] = [];
  const agent = buildAgent({ model, limits: { history_messages: 10 } });
  const chat = { agent, warnedAt: 0, front: { print: (text: string) => printed.push(text) } };
  for (const count of [7, 8, 9]) warnContext(chat as unknown as Chat, count); // the only parts that are read
  expect(printed).toHaveLength(warnings);
  expect(printed.join()).toMatch(warnings > 0 ? /8 of 10 messages[\s\S]*\/compact/ : /^$/);
});

describe('readDecision', () => {
  it.each([
    ['y', { approved: true }],
    ['YES', { approved: true }],
    ['a', { approved: true }],
    ['', { approved: false }],
    ['n', { approved: false }],
    ['no, because it is mine', { approved: false, reason: 'it is mine' }],
    ['not that one', { approved: false, reason: 'not that one' }],
    ['yes please', { approved: false, reason: 'yes please' }],
  ])('takes %j', (said, expected) => {
    expect(readDecision(said)).toEqual(expected);
  });
});

describe('exactJson', () => {
  it('writes what cannot be seen as a code', () => {
    expect(exactJson({ a: 'x\u202ey\u{e0041}\u001b' })).toBe('{\n  "a": "x\\u{202e}y\\u{e0041}\\u001b"\n}');
  });
});

describe('converse', () => {
  it('names the command of the page once, and never fails', () => {
    const folder = temporaryFolder();
    expect(takePageHint(folder, 'holodeck serve --open')).toBe('There is a web page too: holodeck serve --open');
    expect(takePageHint(folder, 'holodeck serve --open')).toBeUndefined();
    expect(takePageHint(join(folder, 'missing'), 'holodeck serve --open')).toBeUndefined();
  });
});
