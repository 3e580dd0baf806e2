import { createHash } from 'node:crypto';
import type { ToolDefinition } from '../models/model.ts';
import type { JsonObject } from '../schema/json.ts';
import type { User } from '../schema/user.ts';
import { type BindOptions, bindTool, type Filled } from './bind.ts';
import { mapSubschemas } from './json-schema/schema-walk.ts';
import { toComparableName } from './known-names.ts';
import { sanitizeText } from './sanitize.ts';
import type { Tool } from './tool.ts';

/** A tool as this turn offers it: the model's view, and the function that fills in the sent arguments. */
export interface OfferedTool {
  tool: Tool;
  definition: ToolDefinition;
  fill(args: JsonObject, user: User): Filled;
}

/** A tool that is not offered, and the reason for people. */
export interface Refusal {
  tool: string;
  source: string;
  reason: string;
  /** True if another entry of agent.yaml has a tool of this name: the file must be changed. */
  isClash?: boolean;
}

export interface Offer {
  offered: Map<string, OfferedTool>;
  refusals: Refusal[];
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export interface OfferOptions {
  mayLackBound?(tool: Tool): boolean;
}

/** Decides which tools a model is offered. If two names are easy to confuse, the first one is offered. */
export function offerTools(tools: readonly Tool[], options: OfferOptions = {}): Offer {
  return createOfferer(options)(tools);
}

/** Offers many lists: each tool is bound and cleaned once and keeps its definition from list to list. */
export function createOfferer(options: OfferOptions): (tools: readonly Tool[]) => Offer {
  const compiled = new WeakMap<Tool, Compiled>();
  const compileOnce = (tool: Tool): Compiled => {
    const known = compiled.get(tool) ?? compileTool(tool, { mayLackBound: options.mayLackBound?.(tool) ?? false });
    compiled.set(tool, known);
    return known;
  };
  return (tools) => offerList(tools, compileOnce);
}

/** An offered tool, or the reason why it is refused. */
type Compiled = OfferedTool | Refused;

interface Refused {
  refused: string;
  isClash?: boolean;
}

function offerList(tools: readonly Tool[], compileOnce: (tool: Tool) => Compiled): Offer {
  const offered = new Map<string, OfferedTool>();
  const refusals: Refusal[] = [];
  const taken = new Map<string, Tool>();
  for (const tool of tools) {
    const outcome = findNameFault(tool, taken) ?? compileOnce(tool);
    if ('refused' in outcome) {
      const { refused: reason, isClash } = outcome;
      refusals.push({ tool: tool.name, source: tool.source, reason, ...(isClash && { isClash }) });
    } else {
      offered.set(tool.name, outcome);
      taken.set(toComparableName(tool.name), tool);
    }
  }
  return { offered, refusals };
}

function findNameFault(tool: Tool, taken: ReadonlyMap<string, Tool>): Refused | undefined {
  if (!NAME.test(tool.name)) return { refused: 'its name must be 1 to 64 letters, digits, - and _' };
  const other = taken.get(toComparableName(tool.name));
  const isClash = other?.source !== tool.source && !tool.runsOnClient;
  return (
    other && {
      isClash,
      refused: `its name is taken by, or looks like, ${other.name} of ${other.source}; ${advise(tool, other)}`,
    }
  );
}

function advise(tool: Tool, other: Tool): string {
  if (tool.runsOnClient || tool.isCode) return 'rename it';
  if (tool.source === other.source) return 'offer one of them with allow';
  return `set prefix on the tools entry ${tool.source} or ${other.source}`;
}

function compileTool(tool: Tool, options: BindOptions): Compiled {
  const binding = bindTool(tool, options);
  if ('refused' in binding) return binding;
  return { tool, ...binding, definition: cleanDefinition(binding.definition) };
}

/** Removes invisible characters from foreign text before the model reads it. */
function cleanDefinition({ name, description, inputSchema }: ToolDefinition): ToolDefinition {
  return { name, description: sanitizeText(description), inputSchema: cleanWords(inputSchema) };
}

/** Sanitizes the titles and descriptions of a foreign schema for people and models. */
export function cleanWords(schema: JsonObject): JsonObject {
  const { title, description } = schema;
  return {
    ...mapSubschemas(schema, cleanWords),
    ...(typeof title === 'string' && { title: sanitizeText(title) }),
    ...(typeof description === 'string' && { description: sanitizeText(description) }),
  };
}

/** Changes whenever the definition changes: an approval is valid for one definition only. */
export function hashDefinition(tool: Tool): string {
  const { name, description, inputSchema, source, bind } = tool;
  return createHash('sha256')
    .update(JSON.stringify([name, description, inputSchema, source, bind]))
    .digest('hex');
}
