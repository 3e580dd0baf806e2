import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildMessages } from '../src/agent/prompt.ts';
import type { Message } from '../src/schema/conversation/message.ts';
import { collectOutcome, makeMessage, makeRequest, NEVER_ABORTED } from './fakes/model-request.ts';
import { EVENT_STREAM, sendPieces, startModelServer } from './fakes/model-server.ts';
import { WIRE_PROTOCOLS } from './fakes/wire-protocols.ts';

/** An entry of a request as a provider's checker sees it: its role, its calls and its results. */
interface Entry {
  role: 'user' | 'model' | 'result';
  calls: string[];
  results: string[];
}

/** Reads calls and results back from the body that was sent, per provider. */
const READERS: Record<string, (body: Body) => Entry[]> = {
  openai_compatible: (body) =>
    (body.messages ?? []).flatMap((message): Entry[] => {
      if (message.role === 'system') return [];
      const calls = (message.tool_calls ?? []).map((call) => call.id);
      if (message.role === 'tool')
        return [{ role: 'result' as const, calls: [], results: [String(message.tool_call_id)] }];
      return [{ role: message.role === 'user' ? ('user' as const) : ('model' as const), calls, results: [] }];
    }),
  anthropic: (body) =>
    (body.messages ?? []).map((message) => {
      const parts = Array.isArray(message.content) ? message.content : [];
      const results = parts.filter((part) => part.type === 'tool_result').map((part) => String(part.tool_use_id));
      const calls = parts.filter((part) => part.type === 'tool_use').map((part) => String(part.id));
      if (message.role === 'assistant') return { role: 'model', calls, results: [] };
      return { role: results.length > 0 ? 'result' : 'user', calls: [], results };
    }),
  google: (body) =>
    (body.contents ?? []).map(({ role, parts }) => {
      const calls = parts.flatMap((part) => (part.functionCall ? [part.functionCall.name] : []));
      const results = parts.flatMap((part) => (part.functionResponse ? [part.functionResponse.name] : []));
      if (role === 'model') return { role: 'model', calls, results: [] };
      return { role: results.length > 0 ? 'result' : 'user', calls: [], results };
    }),
};

interface Body {
  messages?: {
    role: string;
    tool_calls?: { id: string }[];
    tool_call_id?: string;
    content: string | { type: string; id?: string; tool_use_id?: string }[];
  }[];
  contents?: { role: string; parts: { functionCall?: { name: string }; functionResponse?: { name: string } }[] }[];
}

/** The fault that a strict provider would report: results must follow their calls at once, completely and in order. */
function faultOf(entries: Entry[]): string | undefined {
  if (entries[0]?.role !== 'user') return 'does not begin with the user';
  let open: string[] = [];
  for (const [index, entry] of entries.entries()) {
    if (entry.role === 'result') {
      const due = open.splice(0, entry.results.length);
      if (due.join() !== entry.results.join()) return `results ${entry.results} for calls ${due}`;
      continue;
    }
    if (open.length > 0) return `calls ${open} without results`;
    if (entry.role === 'user' && entries[index - 1]?.role === 'user') return 'two user messages in a row';
    open = [...entry.calls];
  }
  return open.length > 0 ? `calls ${open} without results` : undefined;
}

const id = fc.constantFrom('call_a', 'call_b', 'call_c');
const stored: fc.Arbitrary<Message> = fc.oneof(
  fc.constant(makeMessage({ role: 'user', content: 'hi' })),
  fc.tuple(fc.constantFrom('', 'text'), fc.uniqueArray(id, { maxLength: 2 })).map(([content, ids]) =>
    makeMessage({
      role: 'assistant',
      // A stored reply has text or calls.
      content: ids.length > 0 ? content : 'text',
      ...(ids.length > 0 && { tool_calls: ids.map((call) => ({ id: call, name: call, arguments: {} })) }),
    }),
  ),
  id.map((call) => makeMessage({ role: 'tool', content: 'result', tool_call_id: call })),
);

describe('whatever is stored', () => {
  const protocols = WIRE_PROTOCOLS.filter(({ provider }) => provider in READERS);

  it.each(protocols)('is sent as $provider takes it', { timeout: 60_000 }, async ({ provider, reply, create }) => {
    const server = await startModelServer([sendPieces([reply], EVENT_STREAM)]);
    const model = create(server.url);
    const read = READERS[provider] ?? (() => []);
    await fc.assert(
      fc.asyncProperty(fc.array(stored, { maxLength: 10 }), async (history) => {
        const now = makeMessage({ role: 'user', content: 'now' });
        const messages = buildMessages(history, [now], { context_tokens: 128_000 });
        await collectOutcome(model.stream(makeRequest({ messages }), { signal: NEVER_ABORTED }));
        // The fake stores the sent body; its shape depends on the provider.
        expect(faultOf(read(server.requests.at(-1)?.body as Body))).toBeUndefined();
      }),
      { numRuns: 60 },
    );
    await server[Symbol.asyncDispose]();
  });
});
