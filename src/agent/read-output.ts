import type { JsonObject } from '../schema/json.ts';
import { type OfferedTool, offerTools } from '../tools/offer.ts';
import type { Tool, ToolOutcome } from '../tools/tool.ts';
import { outcomeText } from './tool-message.ts';
import type { TurnState } from './turn-state.ts';

const READ_OUTPUT = 'read_output';

/**
 * A tool that reads the rest of an output of this turn that was too long to send whole. Offered only if there is one.
 */
export function offerReadOutput(state: TurnState, maxChars: number): OfferedTool | undefined {
  const isCut = state.calls.some((call) => call.name !== READ_OUTPUT && outcomeText(call).length > maxChars);
  if (!isCut) return undefined;
  const tool: Tool = {
    name: READ_OUTPUT,
    description: 'Reads the rest of an output of this turn that was cut.',
    inputSchema: {
      type: 'object',
      properties: {
        call_id: { type: 'string', description: 'The call whose output was cut' },
        offset: { type: 'integer', minimum: 0, description: 'Position of the first character to read' },
      },
      required: ['call_id', 'offset'],
    },
    source: 'holodeck',
    readOnly: true,
    run: async (args) => readOn(state, args, maxChars),
  };
  return offerTools([tool]).offered.get(READ_OUTPUT);
}

function readOn(state: TurnState, args: JsonObject, maxChars: number): ToolOutcome {
  const call = state.calls.find((candidate) => candidate.id === args.call_id);
  const offset = Number(args.offset);
  if (!call) return { error: { error_type: 'ValidationError', message: 'This turn has no call with this call_id.' } };
  const text = outcomeText(call);
  const part = text.slice(offset, offset + pageChars(maxChars));
  return { result: { text: part, next_offset: offset + part.length, total_chars: text.length } };
}

/** A page must fit into the limit together with the JSON around it. */
function pageChars(maxChars: number): number {
  return Math.max(1, Math.floor(maxChars / 2));
}
