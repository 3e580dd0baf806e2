import { fullWord } from '../../language/short-forms.ts';
import type { WordVectors } from '../../language/word-vectors.ts';
import { isOneTypoAway } from '../../language/words.ts';
import type { ToolDocument } from './tool-document.ts';

const QUOTED = /("[^"]*"|`[^`]*`|(?<=^|[\s(:,=])'[^']*'(?=$|[\s.,!?;:)]))/;
/** Spellings of hurry that messages to tools have. */
const SHORT: Readonly<Record<string, string>> = {
  ...{ u: 'you', ur: 'your', ppl: 'people', rn: 'right now', wats: "what's", hows: "how's", wheres: "where's" },
  ...{ pls: 'please', plz: 'please', thx: 'thanks', mins: 'minutes', hrs: 'hours', bday: 'birthday' },
};
const LEAST_LETTERS = 5;

/** The message with short spellings written out and the misspelt words of tools mended. Quoted texts stay as they are. */
export function spellOut(text: string, documents: readonly ToolDocument[], vectors: WordVectors): string {
  const known = new Set(
    documents.flatMap(({ name, description, arguments: args, values }) => [
      ...name,
      ...description,
      ...args,
      ...values,
    ]),
  );
  const mend = (word: string): string => {
    const full = (Object.hasOwn(SHORT, word) ? SHORT[word] : undefined) ?? fullWord(word);
    if (full !== undefined) return full;
    if (word.length < LEAST_LETTERS || known.has(word) || vectors.isWord(word)) return word;
    return [...known].find((other) => other.length >= LEAST_LETTERS && isTypoOf(word, other)) ?? word;
  };
  return text
    .replace(/^((?:please|pls|can you|could you)\s+)*put on (?=\p{Lu})/iu, 'play ')
    .split(QUOTED)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(WORD, mend)))
    .join('');
}

/** A word of small letters that is no part of an address, a path or a code. */
const WORD = /(?<![\p{L}\d_@./#'’-])[a-z]+(?![\p{L}\d_@/'’-]|\.\w)/gu;

/** A plural is no typo. */
function isTypoOf(word: string, other: string): boolean {
  return word[0] === other[0] && isOneTypoAway(word, other) && word !== `${other}s` && other !== `${word}s`;
}
