import { startsWithVerb } from '../../../language/action-verbs.ts';

/** A sentence, a correction, a time that was not read, or words that point somewhere. */
const ODD: readonly RegExp[] = [
  /(?<!\b(?:Dr|Mr|Mrs|Ms|St|No|Prof|ch|v|vs|p|e\.g|i\.e))[.!?;]\s+\S|:\s+\S|\n/i,
  /\s(?:is|are|was|were|isn't|aren't|wasn't|can't|cannot|won't|doesn't|don't|didn't|hasn't|haven't|will|would|says|said)\b/i,
  /(?:^|\s)(?:um+|uh+|erm?|like \d|i mean|sorry|actually|wait|please|pls|lol|btw|also|thanks)(?=[\s,.!]|$)/i,
  /,\s*(?:no|not|wait|sorry|or|so|but|both|all|each|too|he|she|they|it|i|we|you|because|just|maybe)\b/i,
  /\b(?:or|because|but|so|and) (?:i|he|she|they|we|it|you|there)\b/i,
  /(?<!\b(?:every|each|my|our|his|her|the)\s)\b(?:today|tonight|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday|tmrw)\b(?!'s)/i,
  /\s(?:to|at|on|for|by|of|is|until|till|in the|the|a|an|like|uh|first thing|and|or|not)$/i,
  /\S\s+\S+\s+(?:them|that|it|one|this|these)$/i,
  /^(?:before|after|at|on|by|until|till)\b|,\s*say\b/i,
  /^(?:also|as well|these|them|it|that|this|those|the following|please|like to|and|so|me|down|there's|there is|probably|i|we|you|he|she|they|have to|need to|must|gotta|um|uh|quick|one|to|both|all|(?:two|three|four|five|some|few|a few|several) (?:things|tasks|items))\b/i,
  /^(?:go|run|cry|say|leave|dash|laugh|die|scream|admit|sort of|oops|not sure)$|^(?:say|admit) |\byourself$/i,
];
const MAX_WORDS = 12;

/** True if a title that nobody put in quotes is hardly what was meant. */
export function isOddTitle(title: string): boolean {
  if (title.split(/\s+/).length > MAX_WORDS) return true;
  // "new strings, setlist and a call": a list that was not split.
  if (/,/.test(title) && !startsWithVerb(title) && title.split(/\s+/).length > 4) return true;
  return ODD.some((pattern) => pattern.test(title));
}
