import { describe, expect, it } from 'vitest';
import { AgentFile } from './agent.ts';
import { seesPictures } from './model-config.ts';
import { costOf, findPrice } from './price.ts';
import type { Provider } from './provider.ts';
import { Health, ProblemDetail } from './server.ts';

const parse = (more: Record<string, unknown> = {}) => AgentFile.parse({ name: 'a', instructions: 'Answer.', ...more });

describe('AgentFile', () => {
  it('has these defaults', () => {
    expect(parse()).toEqual({
      name: 'a',
      instructions: 'Answer.',
      model: { provider: 'builtin' },
      loop: {
        max_iterations: 15,
        tool_timeout_seconds: 50,
        question_timeout_seconds: 600,
        parallel_tool_calls: 8,
        retry: { enabled: false, attempts: 1 },
      },
      limits: {
        message_chars: 10_000,
        history_messages: 50,
        tool_output_chars: 40_000,
        calls_per_reply: 64,
        delegations: 8,
        depth: 3,
      },
      tools: [],
      intents: {},
      domains: [],
      starters: [],
      observability: { enabled: false, capture_content: false },
      retention: {},
      budget: {},
      server: {
        port: 8000,
        host: '127.0.0.1',
        cors_origins: [],
        session_ttl_seconds: 1800,
        max_active_turns: 200,
        allowed_hosts: [],
        trust_proxy: false,
        agui_reasoning: true,
        mcp_tools: false,
        page: true,
        rate_limit: { turns_per_minute: 60 },
      },
    });
  });

  it('gives a domain these defaults', () => {
    const domain = { name: 'stock', display_name: 'Stock', description: 'Stock', mcp_tools: ['query_space_stock'] };
    const expected = { ...domain, capabilities: [], related_domains: [], enabled: true };
    expect(parse({ domains: [domain] }).domains).toEqual([expected]);
  });
});

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

describe('findPrice', () => {
  it.each([
    ['openai', 'gpt-5', 1.25],
    ['openai', 'gpt-5-2025-08-07', 1.25],
    ['openai', 'gpt-5-mini', 0.25],
    ['openai', 'gpt-5-pro', undefined],
    ['anthropic', 'claude-sonnet-4-5-20250929', 3],
    ['anthropic', 'claude-opus-4-9', undefined],
    ['google', 'gemini-2.5-flash-lite', 0.1],
    ['ollama', 'llama3.2', undefined],
    ['openrouter', 'openai/gpt-5', undefined],
  ] as const)('%s %s: %s', (provider, name, input) => {
    expect(findPrice({ provider, name })?.in).toBe(input);
  });

  it('is the price of the author first, and unknown behind another address', () => {
    const price = { in: 1, out: 2 };
    expect(findPrice({ provider: 'openai', name: 'gpt-5', price })).toBe(price);
    expect(findPrice({ provider: 'openai', name: 'gpt-5', endpoint: 'https://gateway.example' })).toBeUndefined();
  });
});

describe('costOf', () => {
  const usage = { prompt_tokens: 1_000_000, completion_tokens: 100_000 };

  it('adds input and output, each at its price', () => {
    expect(costOf({ in: 3, out: 15 }, usage)).toBe(4.5);
    const cached = { ...usage, cached_tokens: 600_000, cache_write_tokens: 200_000 };
    expect(costOf({ in: 3, cached: 0.3, cache_write: 3.75, out: 15 }, cached)).toBe(3.03);
    expect(costOf({ in: 3, out: 15 }, cached)).toBe(4.5);
  });
});

describe('Health', () => {
  const store = { kind: 'sqlite' };
  const health = { status: 'healthy', agent_ready: true, active_sessions: 0, store, uptime_seconds: 0.5, agents: [] };

  it.each([
    { status: 'ok' },
    { store: {} },
    { active_sessions: -1 },
    { uptime_seconds: -1 },
    { agents: [{ name: 'a' }] },
  ])('refuses %j', (about) => {
    expect(Health.parse(health)).toEqual(health);
    expect(Health.safeParse({ ...health, ...about }).success).toBe(false);
  });
});

describe('ProblemDetail', () => {
  const problem = { type: 'https://holodeck.dev/errors/not_found', title: 'Nothing', status: 404, code: 'not_found' };

  it.each([{ type: 'not_found' }, { status: 200 }, { code: undefined }, { errors: [{ path: 'a' }] }, { stack: 'x' }])(
    'refuses %j',
    (about) => {
      expect(ProblemDetail.parse(problem)).toEqual(problem);
      expect(ProblemDetail.safeParse({ ...problem, ...about }).success).toBe(false);
    },
  );
});
