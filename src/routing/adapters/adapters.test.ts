import { describe, expect, it } from 'vitest';
import { ALICE, buildTool } from '../../../test/build.ts';
import { createFakeClock, type FakeClock } from '../../clock.ts';
import { systemIds } from '../../ids.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { SpaceFile } from '../../space/load/space-file.ts';
import type { AnswerOutcome } from '../../space/space-answer.ts';
import { createSpaceJobs } from '../../space/space-jobs.ts';
import { createSpaceTools } from '../../space/space-tools.ts';
import type { Tool } from '../../tools/tool.ts';
import { conversationArgumentOf, isHelperName, joinDomainTools } from './adapters.ts';
import { type DomainReply, describeDomainAdapter } from './domain-adapter-contract.ts';
import { genie } from './genie.ts';
import { localSpace } from './local-space.ts';

describeDomainAdapter({ adapter: genie, open: openGenie });
describeDomainAdapter({ adapter: localSpace, open: openLocal });

const IDS = { conversationId: 'c1', messageId: 'm1' };
const inputSchema = { type: 'object', properties: { query: { type: 'string' }, conversation_id: { type: 'string' } } };

function openGenie(reply: DomainReply): Tool[] {
  const running = { ...IDS, status: 'EXECUTING_QUERY' };
  const failed = { ...IDS, status: 'FAILED', error: { message: 'no such column' } };
  const first: JsonObject = { 'answer at once': completed(), 'answer later': running, failure: failed }[reply];
  return [
    buildTool({ name: 'query_space_x', readOnly: true, inputSchema, run: () => first }),
    buildTool({ name: 'poll_response_x', run: () => completed() }),
  ];
}

function completed(): JsonObject {
  const statement_response = {
    manifest: { schema: { columns: [{ name: 'n', type_name: 'LONG' }] } },
    result: { data_array: [['5']] },
  };
  const queryAttachments = [{ query: 'SELECT 5', description: 'How many?', statement_response }];
  return { ...IDS, status: 'COMPLETED', content: { textAttachments: ['Five.'], queryAttachments } };
}

/** The space's real tools and jobs over an answer that is ready, late or a failure. */
function openLocal(reply: DomainReply, clock: FakeClock, failure = 'no such column'): Tool[] {
  const rows = { columns: ['n'], rows: [[5]], isCut: false };
  const answer = {
    text: 'Five.',
    sql: 'SELECT 5',
    description: 'How many?',
    rows,
    formats: {},
    confidence: 'high' as const,
    reasons: [],
  };
  const outcome: AnswerOutcome = reply === 'failure' ? { failure } : { answer };
  const later = () => new Promise<AnswerOutcome>((resolve) => clock.after(5_000, () => resolve(outcome)));
  const give = () => (reply === 'answer later' ? later() : Promise.resolve(outcome));
  const answerer = { answer: give, run: give };
  const file = {
    name: 'x',
    title: 'Items',
    description: 'All items.',
    questions: [],
    verified: [],
    tables: {},
    measures: {},
  };
  return createSpaceTools(file as unknown as SpaceFile, createSpaceJobs(answerer, { clock, ids: systemIds }), 'items'); // the fields that are read
}

describe('joinDomainTools', () => {
  it('joins the tools of each kind of domain and leaves other tools as they are', () => {
    const clock = createFakeClock();
    const other = buildTool({ name: 'list_orders' });
    const lonely = buildTool({ name: 'query_space_z', inputSchema });
    const local = openLocal('answer at once', clock).map((tool) => ({
      ...tool,
      name: `local_${tool.name}`,
      serverName: tool.name,
    }));
    const tools = joinDomainTools([...local, other, ...openGenie('answer at once'), lonely], { clock });
    expect(tools.map(({ name }) => name)).toEqual([
      'local_query_space_x',
      'list_orders',
      'query_space_x',
      'query_space_z',
    ]);
    expect([tools[1], tools[3]]).toEqual([other, lonely]);
    expect(tools.map(conversationArgumentOf)).toEqual([
      'conversation_id',
      undefined,
      'conversation_id',
      'conversation_id',
    ]);
    expect(['local_poll_response_x', 'query_space_x'].map(isHelperName)).toEqual([true, false]);
  });

  it('asks a space of this process once, whatever numbers its failure names', async () => {
    const clock = createFakeClock();
    const failure = 'No item costs 429 or 403.';
    const [tool] = joinDomainTools(openLocal('failure', clock, failure), { clock });
    const signal = new AbortController().signal;
    const context = {
      user: ALICE,
      conversationId: 'k',
      callId: '1',
      signal,
      progress: () => {},
      ask: async () => null,
    };
    expect(await tool?.run({ query: 'q' }, context)).toEqual({
      error: { error_type: 'ToolInvocationError', message: failure },
    });
  });
});
