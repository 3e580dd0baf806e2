import { type OfferedTool, offerTools } from '../tools/offer.ts';
import type { Tool } from '../tools/tool.ts';

export const WAIT_FOR_TOOLS = 'wait_for_tools';

/** Tools of servers that were still starting when the turn began. */
export interface LateTools {
  /** Names of the `tools` entries. */
  names: readonly string[];
  /** Resolves when each server has started or failed, with the tools that may be offered then, already checked. */
  wait(signal: AbortSignal): Promise<{ offered: ReadonlyMap<string, OfferedTool>; notes: readonly string[] }>;
}

/** The late tools of one turn. */
export interface Latecomers {
  /**
   * Returns the turn's tools plus those that arrived since. While some are missing, includes the tool that waits for
   * them.
   */
  add(tools: ReadonlyMap<string, OfferedTool>): ReadonlyMap<string, OfferedTool>;
}

/** A turn begins with the tools that are ready. A model that needs the others calls a tool that waits for them. */
export function createLatecomers(late: LateTools): Latecomers {
  let arrived: ReadonlyMap<string, OfferedTool> | undefined;
  const waiting = offerTools([
    createWaitTool(late, (offered) => {
      arrived = new Map([...offered].filter(([, { tool }]) => late.names.includes(tool.source)));
    }),
  ]).offered;
  // Existing tools come last in the map, so a late tool never replaces one of the same name.
  return { add: (tools) => new Map([...(arrived ?? waiting), ...tools]) };
}

function createWaitTool(late: LateTools, take: (offered: ReadonlyMap<string, OfferedTool>) => void): Tool {
  const servers = late.names.join(' and ');
  return {
    name: WAIT_FOR_TOOLS,
    description: `Waits for the tools of ${servers}, which is still starting. Call it when the request needs them, and only then.`,
    inputSchema: { type: 'object', properties: {} },
    source: 'holodeck',
    readOnly: true,
    async run(_args, { signal }) {
      const { offered, notes } = await late.wait(signal);
      take(offered);
      const names = [...offered].flatMap(([name, { tool }]) => (late.names.includes(tool.source) ? [name] : []));
      return { result: { tools: names, ...(notes.length > 0 && { notes: [...notes] }) } };
    },
  };
}
