import { kindOf } from '../kinds/tool-kinds.ts';
import type { ToolEntry } from '../schema/agent.ts';
import type { Finding } from '../yaml/problem.ts';

/** Rules of the `tools` list. A gap is a tool that could not be read. */
export function checkTools(tools: readonly (ToolEntry | undefined)[]): Finding[] {
  const names = tools.map((tool) => tool?.name);
  return tools.flatMap((tool, index) => {
    if (!tool) return [];
    const path = ['tools', index];
    const isTwice = names.indexOf(tool.name) < index;
    return [
      ...(isTwice ? [{ path: [...path, 'name'], message: 'another tool has this name' }] : []),
      ...(kindOf(tool).check?.(tool, path) ?? []),
    ];
  });
}

export function isBoundToUser(tool: ToolEntry): boolean {
  return Object.values(tool.bind).some((value) => value.startsWith('$user.'));
}
