import { kindOf } from '../kinds/tool-kinds.ts';
import type { ToolEntry } from '../schema/agent.ts';
import { isRecord } from '../yaml/parse-yaml.ts';
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

/** Whether an argument of a tool is filled with the user. */
export function isUserBound(tools: readonly (ToolEntry | undefined)[]): boolean {
  return tools.some((tool) => Object.values(tool?.bind ?? {}).some((value) => value.startsWith('$user.')));
}

const LOADING =
  /^(LD_(PRELOAD|AUDIT|LIBRARY_PATH)|DYLD_.*|NODE_OPTIONS|BASH_ENV|PYTHONSTARTUP|PERL5OPT|RUBYOPT|JAVA_TOOL_OPTIONS)$/i;

/** Finds settings that work but deserve a second look. */
export function findLaunchDoubts(tools: readonly (ToolEntry | undefined)[]): Finding[] {
  const message = 'loads other code into the program when it starts; remove it unless you need it';
  return tools.flatMap((tool, index) => {
    if (!isRecord(tool?.env)) return [];
    const names = Object.keys(tool.env).filter((name) => LOADING.test(name));
    return names.map((name) => ({ path: ['tools', index, 'env', name], message }));
  });
}
