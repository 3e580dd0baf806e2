import { describe, expect, it } from 'vitest';
import { seesPictures } from './model-config.ts';
import type { Provider } from './provider.ts';

describe('seesPictures', () => {
  it.each<[Provider, string, boolean]>([
    ['builtin', '', false],
    ['openai', 'gpt-5-mini', true],
    ['openai', 'gpt-3.5-turbo', false],
    ['openai', 'o3-mini', false],
    ['anthropic', 'claude-sonnet-4-5', true],
    ['anthropic', 'claude-2.1', false],
    ['google', 'gemini-2.5-flash', true],
    ['openai_compatible', 'gemini-2.5-flash', true],
    ['openai_compatible', 'deepseek-chat', false],
    ['openrouter', 'anthropic/claude-sonnet-4.5', true],
    ['openrouter', 'qwen/qwen2.5-vl-72b-instruct', true],
    ['openrouter', 'deepseek/deepseek-r1', false],
    ['azure_openai', 'gpt-4o', true],
    ['azure_openai', 'my-deployment', false],
    ['ollama', 'llava:13b', true],
    ['ollama', 'qwen2.5vl:7b', true],
    ['ollama', 'llama3.2', false],
    ['ollama', 'llama3.2-vision', true],
  ])('%s %s: %s', (provider, name, sees) => {
    expect(seesPictures({ provider, name })).toBe(sees);
  });

  it('follows the author', () => {
    expect(seesPictures({ provider: 'azure_openai', name: 'my-deployment', vision: true })).toBe(true);
    expect(seesPictures({ provider: 'openai', name: 'gpt-5', vision: false })).toBe(false);
  });
});
