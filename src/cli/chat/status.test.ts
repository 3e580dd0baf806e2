import { expect, it } from 'vitest';
import { buildAgent } from '../../../test/build.ts';
import type { Chat } from './chat.ts';
import { warnContext } from './status.ts';

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
