import type { TurnState } from '../../agent/turn-state.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { Tool } from '../../tools/tool.ts';

/** A tool that the caller runs itself: calling it makes the turn wait for the result. */
export function createClientTool(options: { name: string; description: string; inputSchema?: JsonObject }): Tool {
  return {
    name: options.name,
    description: options.description,
    inputSchema: options.inputSchema ?? { type: 'object' },
    source: 'client',
    runsOnClient: true,
    run: async () => ({ error: { error_type: 'ToolInvocationError', message: 'The caller runs this tool itself.' } }),
  };
}

/** The caller's tools that this turn waits for, for a request that brings their results without their definitions. */
export function awaitedTools(state: TurnState): Tool[] {
  const names = state.calls.filter((call) => state.waits.get(call.id)?.kind === 'client').map((call) => call.name);
  return [...new Set(names)].map((name) => createClientTool({ name, description: 'Run by the caller.' }));
}
