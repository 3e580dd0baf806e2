import { fullWord } from '../../language/short-forms.ts';
import type { WordVectors } from '../../language/word-vectors.ts';
import { isOneTypoAway } from '../../language/words.ts';
import type { ToolDocument } from './tool-document.ts';

const QUOTED = /("[^"]*"|`[^`]*`|(?<=^|[\s(:,=])'[^']*'(?=$|[\s.,!?;:)]))/;
/** A word of small letters that is no part of an address, a path or a code. */
const WORD = /(?<![\p{L}\d_@./#'’-])[a-z]+(?![\p{L}\d_@/'’-]|\.\w)/gu;
/** Spellings of hurry that messages to tools have. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ...Object.entries({ u: 'you', ur: 'your', ppl: 'people', rn: 'right now', wats: "what's", hows: "how's" }),
  ...Object.entries({ pls: 'please', plz: 'please', thx: 'thanks', mins: 'minutes', hrs: 'hours', bday: 'birthday' }),
]);
const LEAST_LETTERS = 5;

/** The message with short spellings written out and misspelt words of the tools corrected. Quoted texts stay as they are. */
export function spellOut(text: string, documents: readonly ToolDocument[], vectors: WordVectors): string {
  const known = new Set(documents.flatMap((one) => [one.name, one.description, one.arguments, one.values].flat()));
  const mend = (word: string): string => {
    const full = SHORT.get(word) ?? fullWord(word);
    if (full !== undefined) return full;
    if (word.length < LEAST_LETTERS || known.has(word) || vectors.isWord(word)) return word;
    return [...known].find((other) => other.length >= LEAST_LETTERS && isTypoOf(word, other)) ?? word;
  };
  const parts = text.split(QUOTED);
  return parts.map((part, index) => (index % 2 === 1 ? part : part.replace(WORD, mend))).join('');
}

/** A plural is no typo. */
function isTypoOf(word: string, other: string): boolean {
  return word[0] === other[0] && isOneTypoAway(word, other) && word !== `${other}s` && other !== `${word}s`;
}
