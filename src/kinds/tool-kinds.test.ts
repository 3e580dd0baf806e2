import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ALICE, buildAgent, buildTool } from '../../test/build.ts';
import { NEVER_ABORTED } from '../../test/fakes/model-request.ts';
import { temporaryFolder } from '../../test/runtime.ts';
import { systemClock } from '../clock.ts';
import { systemIds } from '../ids.ts';
import { loadWordVectors } from '../language/word-vectors.ts';
import type { OpenedSource } from '../tools/tool.ts';
import { defineKind, type ToolKind } from './kind.ts';
import { entriesThatBring, entrySchema, kindOf, TOOL_KINDS } from './tool-kinds.ts';

const parse = (tools: unknown[], kinds?: readonly ToolKind[]) => z.array(entrySchema(kinds)).parse(tools);

describe('entries', () => {
  it('gives a tool these defaults', () => {
    const mcp = { name: 'm', type: 'mcp', transport: 'stdio', command: 'x' };
    const own = { name: 'f', type: 'function', file: 'f.ts', description: 'F' };
    expect(parse([mcp, own])).toEqual([
      { ...mcp, args: [], env: {}, bind: {}, unbound: [], connection: 'shared', approve: [], idempotent: [] },
      {
        ...own,
        function: 'default',
        parameters: { type: 'object', properties: {} },
        env: {},
        bind: {},
        approve: false,
        idempotent: false,
      },
    ]);
  });

  it('that bring a part of an agent are found by their kind', () => {
    const tasks = { name: 'tasks', type: 'mcp', transport: 'builtin', server: 'tasks' };
    const agent = buildAgent({ tools: [tasks] });
    expect(entriesThatBring(agent, 'tasks').map(({ name }) => name)).toEqual(['tasks']);
    expect(entriesThatBring(agent, 'data')).toEqual([]);
  });
});

describe('a new kind', () => {
  const dice = defineKind(
    z.strictObject({
      name: z.string(),
      type: z.literal('builtin'),
      tool: z.literal('dice'),
      bind: z.record(z.string(), z.string()).default({}),
      sides: z.number().default(6),
    }),
    {
      names: async ({ name }) => [name],
      open: (entries) =>
        entries.map(async ({ name, sides }): Promise<OpenedSource> => {
          const tool = buildTool({ name, source: name, run: () => sides });
          return {
            source: {
              name,
              tools: async () => [tool],
              status: () => ({ state: 'ready', tools: [] }),
              close: async () => {},
            },
          };
        }),
    },
  );
  const kinds = [...TOOL_KINDS, dice];

  it('is read, chosen and opened by one row', async () => {
    const [entry] = parse([{ name: 'roll', type: 'builtin', tool: 'dice', sides: 20 }], kinds);
    if (!entry) throw new Error('not read');
    expect(entry).toEqual({ name: 'roll', type: 'builtin', tool: 'dice', bind: {}, sides: 20 });
    const kind = kindOf(entry, kinds);
    expect(kind).toBe(dice);
    const agent = buildAgent();
    expect(await kind.names(entry, agent)).toEqual(['roll']);

    const options = { agent, folder: temporaryFolder(), clock: systemClock, ids: systemIds, vectors: loadWordVectors };
    const opened = await Promise.all(kind.open([entry], options));
    expect(opened.map(({ source }) => source.name)).toEqual(['roll']);
    const tools = (await opened[0]?.source.tools(ALICE, { signal: NEVER_ABORTED })) ?? [];
    expect(tools.map(({ name }) => name)).toEqual(['roll']);
    const context = { user: ALICE, conversationId: '', callId: 'call', signal: NEVER_ABORTED };
    const progress = () => {};
    const ask = async () => null;
    expect(await tools[0]?.run({}, { ...context, progress, ask })).toEqual({ result: 20 });
  });

  it('names the values that choose a kind when none fits', () => {
    const issues = entrySchema(kinds).safeParse({ name: 'x', type: 'builtin', tool: 'coin' }).error?.issues;
    expect(issues?.[0]?.path).toEqual(['tool']);
    expect(entrySchema(kinds).safeParse({ name: 'x', type: 'other' }).error?.issues[0]?.path).toEqual(['type']);
  });
});
