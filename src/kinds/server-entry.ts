import * as z from 'zod';
import { Bind } from '../schema/agent.ts';
import { Name, Text } from '../schema/scalars.ts';
import type { Tool, ToolSource } from '../tools/tool.ts';
import type { Finding, Path } from '../yaml/problem.ts';

const Names = z.array(Text);
const Prefix = z
  .string()
  .regex(/^[a-zA-Z][a-zA-Z0-9_-]*$/, 'must begin with a letter and hold only letters, digits, - and _, such as shop_')
  .max(32);

/** The keys that every server of tools has. */
export const serverKeys = {
  name: Name,
  /** For people; models read the descriptions of the server's own tools. */
  description: Text.optional(),
  type: z.literal('mcp'),
  allow: Names.optional(),
  bind: Bind,
  unbound: Names.default([]),
  connection: z.enum(['shared', 'per_user']).default('shared'),
  approve: Names.default([]),
  idempotent: Names.default([]),
  prefix: Prefix.optional(),
};

interface ServerEntry {
  allow?: string[] | undefined;
  bind: Record<string, string>;
  unbound: string[];
  approve: string[];
  idempotent: string[];
  prefix?: string | undefined;
}

/** Lists of tools may name only tools that are allowed. */
export function checkLists(entry: ServerEntry, path: Path): Finding[] {
  const { allow } = entry;
  if (!allow) return [];
  return (['unbound', 'approve', 'idempotent'] as const).flatMap((key) =>
    entry[key].flatMap((name, index) =>
      allow.includes(name)
        ? []
        : [{ path: [...path, key, index], message: 'is not in allow; add it there or remove it' }],
    ),
  );
}

/** Applies the settings of an entry to tools of this process: allowed tools, bound arguments, approvals, prefix. */
export function withEntry(source: ToolSource, entry: ServerEntry): ToolSource {
  const { prefix = '' } = entry;
  const isAllowed = (tool: { name: string }) => !entry.allow || entry.allow.includes(tool.name);
  const apply = (tool: Tool): Tool => ({
    ...tool,
    ...(prefix && { name: `${prefix}${tool.name}`, serverName: tool.name }),
    bind: entry.bind,
    needsApproval: entry.approve.includes(tool.name),
    idempotent: (tool.idempotent ?? false) || entry.idempotent.includes(tool.name),
  });
  const applied = new WeakMap<Tool, Tool>();
  const applyOnce = (tool: Tool): Tool => {
    const known = applied.get(tool) ?? apply(tool);
    applied.set(tool, known);
    return known;
  };
  return {
    ...source,
    status() {
      const status = source.status();
      const tools = status.tools.filter(isAllowed).map((tool) => ({ ...tool, name: `${prefix}${tool.name}` }));
      return { ...status, tools };
    },
    tools: async (user, options) => (await source.tools(user, options)).filter(isAllowed).map(applyOnce),
  };
}
