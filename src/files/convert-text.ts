import { type Convert, count } from './conversion.ts';
import { decodeText } from './decode-text.ts';

export const convertText: Convert = async (bytes, { emit }) => {
  const { text, guessed } = decodeText(bytes);
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n+$/, '');
  emit(lines);
  const size = count(lines === '' ? 0 : lines.split('\n').length, 'line');
  return { size: guessed ? `${size}, read as ${guessed}` : size, left: [] };
};
