import { describe, expect, it } from 'vitest';
import { ALICE, buildTool } from '../../../test/build.ts';
import { createFakeClock } from '../../clock.ts';
import type { Json, JsonObject } from '../../schema/json.ts';
import type { Tool, ToolContext, ToolOutcome } from '../../tools/tool.ts';
import { joinDomainTools } from './adapters.ts';

const IDS = { conversationId: 'c1', messageId: 'm1' };
const table = (dataArray: Json[]) => ({
  queryAttachments: [
    {
      query: 'SELECT 1',
      description: 'Top products',
      statement_response: {
        manifest: {
          schema: {
            columns: [
              { name: 'product', type_name: 'STRING' },
              { name: 'rate', type_name: 'DOUBLE' },
            ],
          },
        },
        result: { data_array: dataArray },
      },
    },
  ],
  textAttachments: ['A leads.'],
});
const completed = (content: JsonObject = table([['A', '0.25']])): JsonObject => ({
  ...IDS,
  status: 'COMPLETED',
  content,
});
const running = (status = 'EXECUTING_QUERY'): JsonObject => ({ ...IDS, status });
const EXPECTED = {
  conversation_id: 'c1',
  message_id: 'm1',
  answer: 'A leads.',
  question: 'Top products',
  sql_query: 'SELECT 1',
  columns: [
    { name: 'product', type: 'STRING' },
    { name: 'rate', type: 'DOUBLE' },
  ],
  rows: [{ product: 'A', rate: 0.25 }],
  row_count: 1,
};

interface Played {
  outcome: ToolOutcome;
  asked: { tool: string; args: JsonObject }[];
  progress: string[];
}

/** Asks a space whose tools answer from two lists, with a fast clock. */
async function play(
  answers: (Json | ToolOutcome)[],
  polls: (Json | ToolOutcome)[] = [],
  args: JsonObject = { query: 'q' },
): Promise<Played> {
  const clock = createFakeClock();
  const asked: Played['asked'] = [];
  const progress: string[] = [];
  const toOutcome = (value: Json | ToolOutcome | undefined): ToolOutcome =>
    typeof value === 'object' && value !== null && ('error' in value || 'result' in value) && !('status' in value)
      ? (value as ToolOutcome) // a test writes either
      : { result: (value ?? null) as Json };
  const tool = (name: string, list: (Json | ToolOutcome)[]): Tool => ({
    ...buildTool({ name }),
    run: async (given) => {
      asked.push({ tool: name, args: given });
      return toOutcome(list.length > 1 ? list.shift() : list[0]);
    },
  });
  const [joined, ...others] = joinDomainTools([tool('query_space_x', answers), tool('poll_response_x', polls)], {
    clock,
    random: () => 0.5,
  });
  expect(others).toEqual([]);
  const signal = new AbortController().signal;
  const context: ToolContext = {
    user: ALICE,
    conversationId: 'k',
    callId: '1',
    signal,
    progress: (text) => progress.push(text),
    ask: async () => null,
  };
  let outcome: ToolOutcome | undefined;
  const done = joined?.run(args, context).then((value) => (outcome = value));
  for (let turns = 0; !outcome && turns < 200; turns++) await clock.advance(500);
  await done;
  return { outcome: outcome ?? { result: null }, asked, progress };
}

describe('joinDomainTools', () => {
  it('returns an answer that is there at once', async () => {
    const { outcome, asked } = await play([completed()]);
    expect(outcome).toEqual({ result: EXPECTED });
    expect(asked).toEqual([{ tool: 'query_space_x', args: { query: 'q' } }]);
  });

  it('reads rows of string values like plain ones', async () => {
    const { outcome } = await play([completed(table([{ values: [{ string_value: 'A' }, { string_value: '0.25' }] }]))]);
    expect(outcome).toEqual({ result: EXPECTED });
  });

  it('reads the same from a text that holds JSON, also inside its content', async () => {
    const text = JSON.stringify({ ...completed(), content: JSON.stringify(table([['A', '0.25']])) });
    expect((await play([text])).outcome).toEqual({ result: EXPECTED });
  });

  it('polls with the ids until it is over, through unknown statuses', async () => {
    const { outcome, asked, progress } = await play(
      [running('SUBMITTED')],
      [running('ASKING_AI'), running('SOMETHING_NEW'), completed()],
    );
    expect(outcome).toEqual({ result: EXPECTED });
    expect(asked.slice(1)).toEqual(
      Array(3).fill({ tool: 'poll_response_x', args: { conversation_id: 'c1', message_id: 'm1' } }),
    );
    expect(progress).toEqual(['submitted', 'asking ai', 'something new']);
  });

  it.each([
    [{ ...IDS, status: 'FAILED', error: { message: 'no such column' } }, 'ToolInvocationError', 'no such column'],
    [{ ...IDS, status: 'CANCELLED' }, 'ToolInvocationError', 'The space cancelled the question.'],
    [
      { ...IDS, status: 'FAILED', error: { message: 'PERMISSION_DENIED: no access to table' } },
      'PermissionDenied',
      'PERMISSION_DENIED: no access to table',
    ],
    [
      { error: { error_type: 'ToolInvocationError', message: 'The server refused the call (HTTP 403).' } },
      'PermissionDenied',
      'The server refused the call (HTTP 403).',
    ],
    [
      'Error: You do not have permission to use this space',
      'PermissionDenied',
      'Error: You do not have permission to use this space',
    ],
  ] as [ToolOutcome | Json, string, string][])('tells %j as %s', async (answer, errorType, message) => {
    expect((await play([answer])).outcome).toEqual({ error: { error_type: errorType, message } });
  });

  it.each(['answered with HTTP 429 while the call was running', 'answered with HTTP 503', 'RESOURCE_EXHAUSTED'])(
    'asks again after "%s"',
    async (message) => {
      const busy = { error: { error_type: 'ToolInvocationError' as const, message } };
      const { outcome, asked } = await play([busy, busy, completed()]);
      expect(outcome).toEqual({ result: EXPECTED });
      expect(asked).toHaveLength(3);
    },
  );

  it('gives up on a space that stays busy', async () => {
    const busy = { error: { error_type: 'ToolInvocationError' as const, message: 'HTTP 429' } };
    const { outcome, asked } = await play([busy]);
    expect(outcome).toEqual(busy);
    expect(asked).toHaveLength(4);
  });

  it('begins anew when the space has forgotten the conversation', async () => {
    const lost = { ...IDS, status: 'FAILED', error: { message: 'Conversation c9 does not exist' } };
    const { outcome, asked } = await play([lost, completed()], [], { query: 'q', conversation_id: 'c9' });
    expect(outcome).toEqual({ result: EXPECTED });
    expect(asked.map(({ args }) => args)).toEqual([{ query: 'q', conversation_id: 'c9' }, { query: 'q' }]);
  });

  it('returns unchanged a result that is no answer of a space, and leaves other tools alone', async () => {
    expect((await play(['plain words'])).outcome).toEqual({ result: 'plain words' });
    const other = buildTool({ name: 'query_space_alone' });
    expect(joinDomainTools([other], { clock: createFakeClock() })).toEqual([other]);
  });

  it('never takes "still processing" for an answer', async () => {
    const { outcome } = await play(
      [{ ...running(), content: { textAttachments: ['Still processing'] } }],
      [completed()],
    );
    expect(outcome).toEqual({ result: EXPECTED });
  });
});
