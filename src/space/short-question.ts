import {
  type AskedFor,
  asRows,
  findNamed,
  type IsThing,
  isBreakdown,
  isGeneric,
  isSharing,
  isSuperlative,
  lastOfFirst,
  readBreakdown,
  readNamed,
} from './asked-phrase.ts';
import { type AskedWord, kindOf, readAskedWords } from './asked-words.ts';

const PHRASES = /[?.!;:,()&]+|\b(?:and|or|plus)\b/i;
/** Words of a sentence: what has one of them is more than a name for something. */
const SENTENCE =
  /^(?:is|are|was|were|be|been|do|does|did|done|has|have|had|can|could|should|would|will|may|might|must|which|what|who|whom|whose|when|where|why|how|that|if|whether|because|we|they|you|he|she|it|them)$/;
const LINK = /^(?:for|of|from|with)$/;
const COUNTING = /^(?:numbers?|counts?|quantity)$/;

/**
 * What a question asks for that only names it: "revenue last month", "show me orders by channel". Nothing of a whole
 * sentence, and nothing where something is compared, followed over time or denied.
 */
export function readShortQuestion(text: string, isThing: IsThing): AskedFor[] {
  if (readAskedWords(text).some(isMoreThanName)) return [];
  return text.split(PHRASES).flatMap((phrase) => {
    const words = readAskedWords(phrase);
    return [readName(words, isThing), asRows(findTold(words))].filter((asked) => asked !== undefined);
  });
}

/** In "ratings for products below their reorder point", the products: another space may know them, and no rating. */
function findTold(words: readonly AskedWord[]): AskedWord | undefined {
  const end = words.findIndex(isBreakdown);
  const named = end < 0 ? words : words.slice(0, end);
  const at = named.findIndex((word, index) => isGeneric(word) && LINK.test(named[index - 1]?.word ?? ''));
  const isTold = at > 0 && named.slice(at + 1).some((word) => kindOf(word) === 'content');
  return isTold ? named[at] : undefined;
}

function isMoreThanName(word: AskedWord): boolean {
  return SENTENCE.test(word.word) || ['comparison', 'trend', 'negation'].includes(kindOf(word));
}

function readName(words: readonly AskedWord[], isThing: IsThing): AskedFor | undefined {
  if (words.some(isSuperlative)) return asRows(findNamed(words, isThing));
  const head = lastOfFirst(words);
  if (!head) return undefined;
  const { by } = readBreakdown(words);
  const share = words.find(isSharing);
  if (share) return { kind: 'share', head: share, ...(by && { by }) };
  const isCounted = isGeneric(head) && by !== undefined && isThing(by);
  if (isCounted || words.some(({ word }) => COUNTING.test(word))) return { kind: 'count', head, ...(by && { by }) };
  return readNamed(words, isThing);
}
