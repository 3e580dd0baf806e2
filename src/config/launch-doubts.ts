import type { ToolEntry } from '../schema/agent.ts';
import { isRecord } from '../yaml/parse-yaml.ts';
import type { Finding } from '../yaml/problem.ts';

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
