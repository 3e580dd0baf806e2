import type { ModelChunk } from '../../models/model.ts';
import { cleanLine, cleanText } from '../../schema/user-text.ts';
import { createStreamCleaner, type StreamCleaner } from '../../tools/stream-cleaner.ts';

const NAME_CHARS = 200;

/**
 * Removes terminal sequences, control characters and reordered text from a model's reply, even when a sequence is split
 * across two chunks. Events, history and every front get their text only from here. Arguments of calls pass unchanged:
 * a tool gets exactly the model's value, and fronts clean it before display. This is a plain function because an async
 * generator would cost every token one more turn of the event loop.
 */
export function createChunkCleaner(): (chunk: ModelChunk) => readonly ModelChunk[] {
  const gates = { reasoning: createStreamCleaner(cleanText), text: createStreamCleaner(cleanText) };
  return (chunk) => {
    const held = [
      ...(chunk.type === 'reasoning' ? [] : heldBack('reasoning', gates.reasoning)),
      ...(chunk.type === 'text' ? [] : heldBack('text', gates.text)),
    ];
    const cleaned = cleanChunk(chunk, gates);
    return held.length === 0 ? [cleaned] : [...held, cleaned];
  };
}

function cleanChunk(chunk: ModelChunk, gates: Readonly<Record<'text' | 'reasoning', StreamCleaner>>): ModelChunk {
  if (chunk.type === 'tool-call') return { ...chunk, name: cleanName(chunk.name) };
  if (chunk.type === 'call-part') return { ...chunk, name: cleanName(chunk.name), text: cleanText(chunk.text) };
  if (chunk.type !== 'text' && chunk.type !== 'reasoning') return chunk;
  const text = gates[chunk.type].push(chunk.text);
  return text === chunk.text ? chunk : { type: chunk.type, text };
}

/** Releases text that waited for its second half; a chunk of another type means that the half will not come. */
function heldBack(type: 'text' | 'reasoning', cleaner: StreamCleaner): ModelChunk[] {
  const text = cleaner.end();
  return text === '' ? [] : [{ type, text }];
}

/** The appended mark ensures that a cleaned name never equals the name of a real tool. */
function cleanName(name: string): string {
  const clean = cleanLine(name, NAME_CHARS);
  return clean === name ? name : `${clean}\ufffd`;
}
