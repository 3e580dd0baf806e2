import { createHash } from 'node:crypto';
import type { ToolDefinition } from '../models/model.ts';
import type { JsonObject } from '../schema/json.ts';
import type { User } from '../schema/user.ts';
import { type BindOptions, bindTool, type Filled } from './bind.ts';
import { lookOf } from './look-alike.ts';
import { sanitizeText } from './sanitize.ts';
import { mapSubschemas } from './schema-walk.ts';
import type { Tool } from './tool.ts';

/** A tool as this turn offers it: what the model sees, and how its arguments become what is sent. */
export interface OfferedTool {
  tool: Tool;
  definition: ToolDefinition;
  fill(args: JsonObject, user: User): Filled;
}

/** A tool that is not offered, and why, in words for people. */
export interface Refusal {
  tool: string;
  source: string;
  reason: string;
  /** Another entry of agent.yaml has a tool of this name: the file must be changed. */
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

/** Decides which tools a model is offered. Of two names that a reader could mix up, the first one is offered. */
export function offerTools(tools: readonly Tool[], options: OfferOptions = {}): Offer {
  return createOfferer(options)(tools);
}

/** The same for many lists: each tool is bound and cleaned once, and keeps its definition from list to list. */
export function createOfferer(options: OfferOptions): (tools: readonly Tool[]) => Offer {
  const compiled = new WeakMap<Tool, Compiled>();
  const compileOnce = (tool: Tool): Compiled => {
    const known = compiled.get(tool) ?? compileTool(tool, { mayLackBound: options.mayLackBound?.(tool) ?? false });
    compiled.set(tool, known);
    return known;
  };
  return (tools) => offerList(tools, compileOnce);
}

/** A tool as it is offered, or why it is not. */
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
      taken.set(lookOf(tool.name), tool);
    }
  }
  return { offered, refusals };
}

function findNameFault(tool: Tool, taken: ReadonlyMap<string, Tool>): Refused | undefined {
  if (!NAME.test(tool.name)) return { refused: 'its name must be 1 to 64 letters, digits, - and _' };
  const other = taken.get(lookOf(tool.name));
  const isClash = other?.source !== tool.source && !tool.runsOnClient;
  return (
    other && {
      isClash,
      refused: `its name is taken by, or looks like, ${other.name} of ${other.source}; ${advise(tool, other)}`,
    }
  );
}

function advise(tool: Tool, other: Tool): string {
  if (tool.runsOnClient) return 'rename it';
  if (tool.source === other.source) return 'offer one of them with allow';
  return `set prefix on the tools entry ${tool.source} or ${other.source}`;
}

function compileTool(tool: Tool, options: BindOptions): Compiled {
  const binding = bindTool(tool, options);
  if ('refused' in binding) return binding;
  return { tool, ...binding, definition: cleanDefinition(binding.definition) };
}

/** Foreign words reach the model without characters that people cannot see. */
function cleanDefinition({ name, description, inputSchema }: ToolDefinition): ToolDefinition {
  return { name, description: sanitizeText(description), inputSchema: cleanWords(inputSchema) };
}

/** Titles and descriptions of a foreign schema as people and models may read them. */
export function cleanWords(schema: JsonObject): JsonObject {
  const { title, description } = schema;
  return {
    ...mapSubschemas(schema, cleanWords),
    ...(typeof title === 'string' && { title: sanitizeText(title) }),
    ...(typeof description === 'string' && { description: sanitizeText(description) }),
  };
}

/** Changes whenever the tool becomes another one: an approval holds for one definition only. */
export function hashDefinition(tool: Tool): string {
  const { name, description, inputSchema, source, bind } = tool;
  return createHash('sha256')
    .update(JSON.stringify([name, description, inputSchema, source, bind]))
    .digest('hex');
}
