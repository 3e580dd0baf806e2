import { isObject, type Json, type JsonObject } from '../../schema/json.ts';

/**
 * Collects the reasoning that must be sent back with calls: `reasoning_content` (DeepSeek and Kimi refuse a call
 * without it) and `reasoning_details` (OpenRouter, which passes on the signatures of its models).
 */
export function createReasoningFields() {
  let content = '';
  const details: JsonObject[] = [];
  const open = new Map<string, JsonObject>();

  return {
    /** Returns the number of characters stored in addition to the reasoning text. */
    add(delta: { reasoning_content?: Json; reasoning_details?: Json }): number {
      if (typeof delta.reasoning_content === 'string') content += delta.reasoning_content;
      if (!Array.isArray(delta.reasoning_details)) return 0;
      const parts = delta.reasoning_details.filter(isObject);
      for (const part of parts) addDetail(details, open, part);
      return JSON.stringify(parts).length;
    },
    /** Fields of the assistant message, as they arrived. */
    take(): JsonObject | undefined {
      if (content === '' && details.length === 0) return undefined;
      return {
        ...(content !== '' && { reasoning_content: content }),
        ...(details.length > 0 && { reasoning_details: details }),
      };
    },
  };
}

/** Parts of the same detail share type and index. Their texts are joined; other values replace earlier ones. */
function addDetail(details: JsonObject[], open: Map<string, JsonObject>, part: JsonObject): void {
  const place = JSON.stringify([part.type, part.index]);
  const earlier = part.index === undefined ? undefined : open.get(place);
  if (!earlier) {
    const detail = { ...part };
    details.push(detail);
    open.set(place, detail);
    return;
  }
  for (const [key, value] of Object.entries(part)) {
    const before = earlier[key];
    const isJoined = ['text', 'summary', 'data'].includes(key) && typeof before === 'string';
    if (isJoined && typeof value === 'string') earlier[key] = before + value;
    else if (value !== null) earlier[key] = value;
  }
}
