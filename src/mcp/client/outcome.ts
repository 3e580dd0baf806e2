import type { CallToolResult } from '@modelcontextprotocol/client';
import { ToolError } from '../../schema/conversation/tool-call.ts';
import { ERROR_META } from '../../schema/fronts/mcp.ts';
import type { Json } from '../../schema/json.ts';
import type { ToolOutcome } from '../../tools/tool.ts';

type Block = CallToolResult['content'][number];

/**
 * Converts a server's result to a tool outcome: structured content first, then text; other content is named but not
 * shown.
 */
export function toOutcome(result: CallToolResult): ToolOutcome {
  // Values parsed from the wire are JSON.
  const structured = result.structuredContent as Json | undefined;
  const typed = result._meta?.[ERROR_META] as Json | undefined;
  if (result.isError) return { error: toError(typed ?? structured, describe(result.content)) };
  return { result: structured === undefined ? describe(result.content) : structured };
}

function toError(structured: Json | undefined, text: string): ToolError {
  const known = ToolError.safeParse(structured);
  if (known.success) return known.data;
  const error: ToolError = {
    error_type: 'ToolInvocationError',
    message: text || 'The tool failed without giving a reason.',
  };
  if (structured !== undefined) error.details = structured;
  return error;
}

function describe(content: readonly Block[]): string {
  return content.map(describeBlock).join('\n');
}

function describeBlock(block: Block): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type} ${block.mimeType}, ${countBytes(block.data)} bytes: cannot be shown here]`;
    case 'resource_link':
      return `[resource ${block.title ?? block.name}: ${block.uri}]`;
    case 'resource':
      if ('text' in block.resource) return block.resource.text;
      return `[resource ${block.resource.uri}, ${countBytes(block.resource.blob)} bytes: cannot be shown here]`;
    default:
      return '[content of an unknown kind]';
  }
}

function countBytes(base64: string): number {
  return Math.floor((base64.replace(/=+$/, '').length * 3) / 4);
}
