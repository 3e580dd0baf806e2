import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { buildAgent, buildTool } from '../../test/build.ts';
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
    const [entry] = parse([{ name: 'roll', type: 'builtin', tool: 'dice' }], kinds);
    if (!entry) throw new Error('not read');
    expect(entry).toEqual({ name: 'roll', type: 'builtin', tool: 'dice', bind: {}, sides: 6 });
    const kind = kindOf(entry, kinds);
    expect(await kind.names(entry, buildAgent())).toEqual(['roll']);
    expect(kind).toBe(dice);
  });

  it('names the values that choose a kind when none fits', () => {
    const issues = entrySchema(kinds).safeParse({ name: 'x', type: 'builtin', tool: 'coin' }).error?.issues;
    expect(issues?.[0]?.path).toEqual(['tool']);
    expect(entrySchema(kinds).safeParse({ name: 'x', type: 'other' }).error?.issues[0]?.path).toEqual(['type']);
  });
});
