import type { OpenedSource, OpenOptions } from '../../kinds/kind.ts';
import { kindOf } from '../../kinds/tool-kinds.ts';

/** Opens the sources under `tools` in agent.yaml. Loads only the modules in use; a server starts when first needed. */
export async function openSources(options: OpenOptions): Promise<OpenedSource[]> {
  const groups = Map.groupBy(options.agent.tools, (entry) => kindOf(entry));
  const opened = [...groups].flatMap(([kind, entries]) => kind.open(entries, options));
  return inFileOrder(
    await Promise.all(opened),
    options.agent.tools.map(({ name }) => name),
  );
}

/** Functions come first: their source has the agent's name, which no entry has to have. */
function inFileOrder(sources: readonly OpenedSource[], names: readonly string[]): OpenedSource[] {
  return sources.toSorted((a, b) => names.indexOf(a.source.name) - names.indexOf(b.source.name));
}
