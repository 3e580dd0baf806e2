import type { Tool } from '../../tools/tool.ts';
import type { AskOptions, DomainAdapter } from './domain-adapter.ts';
import { genie } from './genie.ts';

/** All kinds of data domains. The first adapter that asks a tool is used; a tool without one is called as it is. */
const ADAPTERS: readonly DomainAdapter[] = [genie];

/** Joins every domain tool with its helpers into one tool that asks and waits. Other tools stay unchanged. */
export function joinDomainTools(tools: readonly Tool[], options: AskOptions): Tool[] {
  const joined = tools.flatMap((tool) => {
    const adapter = findAdapter(tool);
    const helpers = adapter?.findHelpers(tool, tools);
    return adapter && helpers ? [{ tool, helpers, whole: adapter.join(tool, helpers, options) }] : [];
  });
  const used = joined.flatMap(({ helpers }) => helpers);
  return tools
    .filter((tool) => !used.includes(tool))
    .map((tool) => joined.find((one) => one.tool === tool)?.whole ?? tool);
}

/** Returns the argument that continues a conversation of the tool's domain; undefined when the tool has none. */
export function conversationArgumentOf(tool: Tool): string | undefined {
  const { properties } = tool.inputSchema;
  const argument = findAdapter(tool)?.conversationArgument;
  const isTaken = argument !== undefined && typeof properties === 'object' && properties !== null;
  return isTaken && argument in properties ? argument : undefined;
}

/** Returns true for a tool that only helps to ask, such as the poll tool of a space. */
export function isHelperName(name: string): boolean {
  return ADAPTERS.some((adapter) => adapter.isHelperName(name));
}

function findAdapter(tool: Tool): DomainAdapter | undefined {
  return ADAPTERS.find((adapter) => adapter.asks(tool));
}
