import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import type { JsonObject } from '../../schema/json.ts';
import { displayJson, sanitizeText } from '../../tools/sanitize.ts';

interface Preview {
  lines: number;
  chars: number;
}

const PREVIEW: Preview = { lines: 12, chars: 1200 };
/** No limit. */
export const WHOLE: Preview = { lines: Number.POSITIVE_INFINITY, chars: Number.POSITIVE_INFINITY };

/** The details that `-v` adds to an ended call: the model's arguments, the bound ones, and the result. */
export function callDetails(call: ToolCall, overridden: readonly string[], preview = PREVIEW): string[] {
  const detail = (name: string, text: string) => detailLines(name, text, preview.lines);
  const filled = filledIn(call.arguments, call.sent_arguments ?? call.arguments);
  return [
    `${sanitizeText(call.name)}  ${sanitizeText(call.id)}`,
    ...detail('arguments', displayJson(call.arguments, preview.chars)),
    ...(filled === '' ? [] : [`  filled in  ${filled}`]),
    ...(overridden.length > 0 ? [`  replaced   ${sanitizeText(overridden.join(', '))}, written by the model`] : []),
    ...(call.error ? detail('error', `${call.error.error_type}: ${sanitizeText(call.error.message)}`) : []),
    ...(call.result === undefined ? [] : detail('result', displayJson(call.result, preview.chars))),
  ];
}

function filledIn(args: JsonObject, sent: JsonObject): string {
  return Object.entries(sent)
    .filter(([name, value]) => JSON.stringify(args[name]) !== JSON.stringify(value))
    .map(([name, value]) => sanitizeText(`${name} = ${displayJson(value, 80)}`))
    .join(', ');
}

function detailLines(name: string, text: string, maxLines: number): string[] {
  const lines = text.split('\n');
  const shown = lines.slice(0, maxLines);
  const left = lines.length > shown.length ? [`… ${lines.length - shown.length} more lines`] : [];
  return [...shown, ...left].map((line, index) => `  ${(index === 0 ? name : '').padEnd(9)}  ${line}`);
}
