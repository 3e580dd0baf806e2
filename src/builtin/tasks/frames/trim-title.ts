import { unquote } from '../../../language/clean-text.ts';

/** "one more, pack the bag", "namely wind the clock": words before a title that announce it. */
const ANNOUNCED =
  /^(?:(?:and|also|plus)[\s,]+)*(?:(?:one (?:more|other|last)|another|an additional|next)(?: (?:one|thing|task|item|to-?do|reminder))?\s*[,:-]\s+|namely[\s,:]+)(?=\S)/i;
/** "she wants me to call grandma": the errand is what was asked for. */
const ASKED_BY =
  /^(?:he|she|they|my \w+|everyone|(?:mum|mom|dad|mother|father))\s+(?:also\s+)?(?:wants?|needs?|asked|told|expects?)\s+(?:me|us)\s+to\s+(?=\S)/i;
/** "…, no particular date", "…, whenever": the task has no day. */
const UNDATED =
  /(?:\s*,|\s+-)?\s+(?:(?:with\s+)?no (?:particular|specific|fixed|set|special|due) (?:date|day|time|deadline)|(?:with )?no (?:due )?date|without (?:a|any) (?:due )?date|(?<=[,-]\s)(?:whenever(?: (?:i|we) (?:can|like|have time)| possible)?|any ?time|some ?day|no (?:rush|hurry)|not urgent))[\s.!]*$/i;
const AS_ONE = /,?\s+as (?:one|a single|just one|only one) (?:task|to-?do|item|entry|reminder|thing)[\s.!]*$/i;

/** A title without the words that announce it and without "no particular date". */
export function trimTitle(words: string): string {
  const trimmed = words.replace(ANNOUNCED, '').replace(ASKED_BY, '').replace(UNDATED, '').trim();
  // "'Order seeds' with no date": what is left may be quoted.
  return trimmed === '' ? words : trimmed === words.trim() ? trimmed : unquote(trimmed);
}

/** "invite Ann, Bob and Cem as one task": the words before it are one title; undefined if they need not be. */
export function readAsOne(words: string): string | undefined {
  const title = words.replace(AS_ONE, '');
  return title === words ? undefined : title;
}
