import { stem } from '../../language/words.ts';
import { MONTHS } from './quantities.ts';

const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’.-]*[\p{L}\p{N}]|[\p{L}\p{N}]/gu;
const QUOTED =
  /[“"]([^“”"\n]{3,200})[”"]|(?<![\p{L}\p{N}])[‘']([^‘’'\n]{3,200})[’'](?![\p{L}\p{N}])|`([^`\n]{2,200})`/gu;
const CODE = /^(?=.*\d)(?=.*\p{L})[\p{L}\p{N}.-]{2,}$/u;
const ORDINAL = /^\d+(?:st|nd|rd|th|am|pm|h|k|m|km|kg|cm|mm|g|l|ml|min|s|x)$/i;
/** Units, sizes and currencies belong to a number, and OK names nothing. */
const MEASURE = /^(?:\d+-\p{L}+|[KMGT]B|EUR|USD|GBP|SEK|CHF|NOK|DKK|PLN|Mbit|kWh|OK)$/u;
const ADDRESS = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\bhttps?:\/\/[^\s)\]>"']+/g;

/** Quoted words, and addresses, which must stand in a passage as they are. */
export function findQuotes(text: string): string[] {
  const quoted = [...text.matchAll(QUOTED)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
  return [...quoted, ...(text.match(ADDRESS) ?? [])].map(fold).filter((quote) => quote !== '');
}

/** Lower case, with single spaces and without punctuation at the ends. */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/[*_`]/g, '')
    .replace(/[–—]/g, '-')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.,;:!?'"]+|[\s.,;:!?'"]+$/g, '');
}

/** Words of courtesy and of talk about the talk. */
export const TALK = new Set(
  (
    'thx great fine bye goodbye morning afternoon evening night help helpful helped cool perfect welcome nope sure right ' +
    'wow awesome understood question questions answer answers exactly agent assistant bot chat yeah'
  ).split(' '),
);

export interface NameMention {
  text: string;
  /** It opens a sentence, where every word has a capital letter. */
  isFirst: boolean;
}

/** Words that look like names: capital letters inside a sentence, capitals only, or letters with digits. */
export function findNames(text: string): NameMention[] {
  const names: NameMention[] = [];
  for (const match of text.matchAll(WORD)) {
    const word = match[0].replace(/['’]s$/, '');
    const isCode = CODE.test(word) && !ORDINAL.test(word);
    const isCapital = /^\p{Lu}/u.test(word) && !/^I(?:['’]|$)/.test(word);
    if (MEASURE.test(word) || (!isCode && (!isCapital || MONTHS.includes(word.toLowerCase())))) continue;
    const before = text.slice(0, match.index);
    const isFirst = !isCode && /(?:^|[.!?:;•·(“"‘|]|\s-)\s*["'“‘(*]*$/.test(before) && !/^\p{Lu}{2,}/u.test(word);
    names.push({ text: word, isFirst });
  }
  return names;
}

/** The stems of a word and of the parts of a compound. */
export function stemsOf(word: string): string[] {
  const lower = word.toLowerCase().replace(/['’]s$/, '');
  return [lower, ...lower.split(/[-.'’]/)].filter((part) => part !== '').map(stem);
}

export function toWords(text: string): string[] {
  return text.match(WORD) ?? [];
}
