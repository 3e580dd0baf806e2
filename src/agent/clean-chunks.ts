import type { ModelChunk } from '../models/model.ts';
import { cleanLine, cleanText } from '../schema/clean-text.ts';
import { createTextGate, type TextGate } from '../tools/text-gate.ts';

const NAME_CHARS = 200;

/**
 * A model's reply without terminal sequences, control characters and reordered text, also where a sequence is cut over
 * two chunks. Events, history and every front get text from here only. Arguments of calls pass as they are: a tool
 * takes what the model meant, and fronts get them cleaned.
 */
export async function* cleanChunks(chunks: AsyncIterable<ModelChunk>): AsyncGenerator<ModelChunk> {
  const gates = { reasoning: createTextGate(cleanText), text: createTextGate(cleanText) };
  for await (const chunk of chunks) {
    if (chunk.type !== 'reasoning') yield* heldBack('reasoning', gates.reasoning);
    if (chunk.type !== 'text') yield* heldBack('text', gates.text);
    if (chunk.type === 'text' || chunk.type === 'reasoning') {
      yield { type: chunk.type, text: gates[chunk.type].push(chunk.text) };
    } else if (chunk.type === 'tool-call') yield { ...chunk, name: cleanName(chunk.name) };
    else yield chunk;
  }
}

/** The text that waited for its other half, which does not come: something else came. */
function* heldBack(type: 'text' | 'reasoning', gate: TextGate): Generator<ModelChunk> {
  const text = gate.end();
  if (text !== '') yield { type, text };
}

/** The mark keeps a name that was cleaned from becoming the name of a tool. */
function cleanName(name: string): string {
  const clean = cleanLine(name, NAME_CHARS);
  return clean === name ? name : `${clean}\ufffd`;
}
