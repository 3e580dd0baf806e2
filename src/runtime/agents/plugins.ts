import type { Planner } from '../../builtin/answer.ts';
import { openDomains } from './domains.ts';
import type { OpenPlugin, PluginOptions, PluginParts } from './plugin-parts.ts';

/**
 * Every plugin, in the order in which the loop asks them. Planners are asked from the last one back: data domains decide
 * by their own words which questions are theirs. The code of a plugin is loaded for agents that use it.
 */
export const PLUGINS: readonly OpenPlugin[] = [
  async (options) => (options.agent.knowledge ? (await import('./knowledge.ts')).openDocuments(options) : undefined),
  openDomains,
];

export async function openPlugins(options: PluginOptions, plugins: readonly OpenPlugin[]): Promise<PluginParts[]> {
  return (await Promise.all(plugins.map((open) => open(options)))).filter((parts) => parts !== undefined);
}

/** The first planner that has a plan for the turn decides. */
export function joinPlans(parts: readonly PluginParts[]): { plan?: Planner } {
  const plans = parts.flatMap(({ plan }) => plan ?? []).reverse();
  if (plans.length === 0) return {};
  const plan: Planner = (...turn) => {
    for (const each of plans) {
      const found = each(...turn);
      if (found) return found;
    }
    return undefined;
  };
  return { plan };
}
