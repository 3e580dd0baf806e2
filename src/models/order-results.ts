import type { Message, ToolMessage } from '../schema/conversation/message.ts';

/** Sorts the results after each assistant message into the order of its calls. */
export function orderResults(messages: readonly Message[]): Message[] {
  const ordered: Message[] = [];
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index] as Message; // index is inside the array
    ordered.push(message);
    if (message.role !== 'assistant' || !message.tool_calls) continue;
    const results = takeResults(messages, index + 1);
    const positions = new Map(message.tool_calls.map((call, position) => [call.id, position]));
    const positionOf = (result: ToolMessage) => positions.get(result.tool_call_id) ?? positions.size;
    ordered.push(...results.toSorted((a, b) => positionOf(a) - positionOf(b)));
    index += results.length;
  }
  return ordered;
}

function takeResults(messages: readonly Message[], start: number): ToolMessage[] {
  const results: ToolMessage[] = [];
  for (let index = start; index < messages.length; index++) {
    const message = messages[index];
    if (message?.role !== 'tool') break;
    results.push(message);
  }
  return results;
}
