import { isObject, type Json, type JsonObject } from '../schema/json.ts';

/**
 * Collects the reasoning that a provider wants back beside its calls: `reasoning_content` (DeepSeek and Kimi refuse a
 * call without it) and `reasoning_details` (OpenRouter, which carries the signatures of the models behind it).
 */
export function createReasoningFields() {
  let content = '';
  const details: JsonObject[] = [];

  return {
    add(delta: { reasoning_content?: Json; reasoning_details?: Json }): void {
      if (typeof delta.reasoning_content === 'string') content += delta.reasoning_content;
      if (Array.isArray(delta.reasoning_details))
        for (const part of delta.reasoning_details) if (isObject(part)) addDetail(details, part);
    },
    /** Fields of the assistant message, as they came. */
    take(): JsonObject | undefined {
      if (content === '' && details.length === 0) return undefined;
      return {
        ...(content !== '' && { reasoning_content: content }),
        ...(details.length > 0 && { reasoning_details: details }),
      };
    },
  };
}

/** Parts of one detail have the same type and index; their texts are joined, other values replace earlier ones. */
function addDetail(details: JsonObject[], part: JsonObject): void {
  const open = details.findLast(({ type, index }) => type === part.type && index === part.index);
  if (!open || part.index === undefined) {
    details.push({ ...part });
    return;
  }
  for (const [key, value] of Object.entries(part)) {
    const before = open[key];
    const isJoined = ['text', 'summary', 'data'].includes(key) && typeof before === 'string';
    if (isJoined && typeof value === 'string') open[key] = before + value;
    else if (value !== null) open[key] = value;
  }
}
