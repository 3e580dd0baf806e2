import type { ModelChunk } from '../models/model.ts';
import { cleanLine, cleanText } from '../schema/clean-text.ts';
import { createTextGate, type TextGate } from '../tools/text-gate.ts';

const NAME_CHARS = 200;

/**
 * Cleans a model's reply of terminal sequences, control characters and reordered text, also where a sequence is cut over
 * two chunks. Events, history and every front get text from here only. Arguments of calls pass as they are: a tool
 * takes what the model meant, and fronts get them cleaned. A function, because a generator around the reply would cost
 * every token a turn of the queue.
 */
export function createChunkCleaner(): (chunk: ModelChunk) => readonly ModelChunk[] {
  const gates = { reasoning: createTextGate(cleanText), text: createTextGate(cleanText) };
  return (chunk) => {
    const held = [
      ...(chunk.type === 'reasoning' ? [] : heldBack('reasoning', gates.reasoning)),
      ...(chunk.type === 'text' ? [] : heldBack('text', gates.text)),
    ];
    const cleaned = cleanChunk(chunk, gates);
    return held.length === 0 ? [cleaned] : [...held, cleaned];
  };
}

function cleanChunk(chunk: ModelChunk, gates: Readonly<Record<'text' | 'reasoning', TextGate>>): ModelChunk {
  if (chunk.type === 'tool-call') return { ...chunk, name: cleanName(chunk.name) };
  if (chunk.type !== 'text' && chunk.type !== 'reasoning') return chunk;
  const text = gates[chunk.type].push(chunk.text);
  return text === chunk.text ? chunk : { type: chunk.type, text };
}

/** The text that waited for its other half, which does not come: something else came. */
function heldBack(type: 'text' | 'reasoning', gate: TextGate): ModelChunk[] {
  const text = gate.end();
  return text === '' ? [] : [{ type, text }];
}

/** The mark keeps a name that was cleaned from becoming the name of a tool. */
function cleanName(name: string): string {
  const clean = cleanLine(name, NAME_CHARS);
  return clean === name ? name : `${clean}\ufffd`;
}
