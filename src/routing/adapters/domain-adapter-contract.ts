import { describe, expect, it } from 'vitest';
import { ALICE, buildTool } from '../../../test/build.ts';
import { createFakeClock, type FakeClock } from '../../clock.ts';
import type { Tool, ToolContext, ToolOutcome } from '../../tools/tool.ts';
import type { DomainAdapter } from './domain-adapter.ts';

/** The answer that each domain under test gives: five, in column n. */
export type DomainReply = 'answer at once' | 'answer later' | 'failure';

export interface DomainUnderTest {
  adapter: DomainAdapter;
  /** Opens the domain's own tools. */
  open(reply: DomainReply, clock: FakeClock): Tool[];
}

const ANSWER = {
  conversation_id: 'c1',
  message_id: expect.any(String),
  answer: 'Five.',
  sql_query: 'SELECT 5',
  columns: [{ name: 'n', type: 'LONG' }],
  rows: [{ n: 5 }],
  row_count: 1,
};

/** The behaviour that every adapter shares, whatever protocol its domain speaks. */
export function describeDomainAdapter({ adapter, open }: DomainUnderTest): void {
  describe(`the adapter ${adapter.name}`, () => {
    const pick = (tools: readonly Tool[]) => {
      const tool = tools.find((one) => adapter.asks(one));
      if (!tool) throw new Error('the adapter knows none of the tools');
      return { tool, helpers: adapter.findHelpers(tool, tools) ?? [] };
    };

    async function ask(reply: DomainReply, signal = new AbortController().signal) {
      const clock = createFakeClock();
      const { tool, helpers } = pick(open(reply, clock));
      const progress: string[] = [];
      const joined = adapter.join(tool, helpers, { clock, random: () => 0.5 });
      let outcome: ToolOutcome | undefined;
      const args = { query: 'how many?', [adapter.conversationArgument]: 'c1' };
      const context = contextOf({ signal, progress: (text) => progress.push(text) });
      const done = joined.run(args, context).then((value) => (outcome = value));
      done.catch(() => {});
      for (let turns = 0; !outcome && !signal.aborted && turns < 100; turns++) await clock.advance(500);
      await done;
      return { outcome, progress, clock };
    }

    it('asks one tool of its domain, and no other tool', () => {
      const tools = open('answer at once', createFakeClock());
      expect(tools.filter((tool) => adapter.asks(tool))).toHaveLength(1);
      expect(adapter.asks(buildTool({ name: 'list_orders' }))).toBe(false);
    });

    it('knows its helpers by name, also behind a prefix, and asks nothing without them', () => {
      const { tool, helpers } = pick(open('answer at once', createFakeClock()));
      expect(helpers.every(({ name }) => adapter.isHelperName(name) && adapter.isHelperName(`shop_${name}`))).toBe(
        true,
      );
      expect(adapter.isHelperName(tool.name)).toBe(false);
      expect(helpers.length > 0 && adapter.findHelpers(tool, [tool])).toBe(helpers.length > 0 ? undefined : false);
    });

    it('keeps the definition of the tool that it asks', () => {
      const { tool, helpers } = pick(open('answer at once', createFakeClock()));
      const { run: _run, readOnly, ...joined } = adapter.join(tool, helpers, { clock: createFakeClock() });
      const { run: _own, readOnly: _hint, ...own } = tool;
      expect([joined, readOnly]).toEqual([own, true]);
      expect(tool.inputSchema.properties).toHaveProperty(adapter.conversationArgument);
    });

    it('returns an answer in the shape that all domains share', async () => {
      const { outcome } = await ask('answer at once');
      expect(outcome).toMatchObject({ result: ANSWER });
    });

    it('waits for an answer that comes later, and emits progress', async () => {
      const { outcome, progress } = await ask('answer later');
      expect(outcome).toMatchObject({ result: ANSWER });
      expect(progress.length).toBeGreaterThan(0);
    });

    it('returns a failure as an error that the model can read', async () => {
      const { outcome } = await ask('failure');
      expect(outcome).toEqual({ error: { error_type: 'ToolInvocationError', message: 'no such column' } });
    });

    it('leaves no timer behind', async () => {
      const { clock } = await ask('answer later');
      expect(clock.waiting).toBe(0);
    });
  });
}

function contextOf(parts: Pick<ToolContext, 'signal' | 'progress'>): ToolContext {
  return { user: ALICE, conversationId: 'k', callId: '1', ask: async () => null, ...parts };
}
