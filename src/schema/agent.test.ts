import { describe, expect, it } from 'vitest';
import { AgentFile } from './agent.ts';

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
      limits: { message_chars: 10_000, history_messages: 50, tool_output_chars: 40_000, calls_per_reply: 64 },
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
