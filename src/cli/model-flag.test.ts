import { describe, expect, it } from 'vitest';
import { modelOverrides } from './model-flag.ts';

describe('modelOverrides', () => {
  it.each([
    [undefined, {}],
    ['builtin', { model: { provider: 'builtin' } }],
    ['google/gemini-2.5-flash', { model: { provider: 'google', name: 'gemini-2.5-flash' } }],
    ['ollama/library/llama3:8b', { model: { provider: 'ollama', name: 'library/llama3:8b' } }],
  ])('reads %s', (text, expected) => {
    expect(modelOverrides(text)).toEqual(expected);
  });

  it.each(['gpt', 'openai', 'openai/', 'other/x'])('refuses %s', (text) => {
    expect(() => modelOverrides(text)).toThrow(/provider\/name/);
  });
});
