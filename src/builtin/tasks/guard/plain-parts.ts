/** Words before an order or a report that say nothing about it. */
const OPENING =
  /^(?:ok(?:ay)?|k|so|well|very well|right|alright|great|good(?: news)?|yay|yes|yep|yeah|yup|oh|ah|hey|hi(?: there)?|hello|phew|finally|and|also|then|now|please(?: to(?= \p{L}))?|pls|plz|kindly|thanks|thank you|cool|nice|perfect|woo+(?:hoo)?|hooray|btw|by the way|fyi|(?:quick )?update|just|first|next|lastly|on second thoughts?|change of plans?|turns out|clean ?up|oops|sorry|actually|wait|hmm+|um+|er+m?|uh+)(?:[\s,:!.-]+|$)/iu;
/** A request in the form of a question or a wish. */
const REQUEST =
  /^(?:(?:can|could|would|will) (?:you|u)(?: (?:please|kindly|also|just))*|you (?:can|may|could)(?: (?:now|also|just))*|go ahead and|i(?:'d| would) like you to|i (?:want|need) you to|feel free to)\s+/i;
const CLOSING =
  /[\s,.!-]+(?:please|pls|plz|thanks(?: (?:a lot|so much))?|thank you(?: (?:so|very) much)?|thx|ty|cheers|ta|now|today|already|finally|too|as well|also|again|then|at (?:long )?last|just now|this (?:morning|afternoon|evening)|yesterday|last night|earlier(?: today)?|first|just in time|for (?:this|the) year|really|in the end|after all|thank (?:god|goodness)|yay|phew|woo+(?:hoo)?|mate|dear|love|btw|ok(?:ay)?|haha+|:\)|x+)$/i;
const EDGE = /^[\s,.!;:-]+|[\s,.!?;:-]+$/g;
/** Sentences and clauses; a point in "Dr. Kim" or "3.5" ends none. */
const BREAK = /(?<!\b(?:dr|mr|mrs|ms|st|prof|no))[.!;]+(?=\s|$)|…|\n+|,\s+|\s+-+\s+/i;
const JOINT = /\s+(?:and(?: then| also)?|then|plus|so|&)\s+/i;

/** A clause of a message, without the words around it. `isRequest`: it is worded as a request to do something. */
export interface PlainPart {
  words: string;
  isRequest: boolean;
}

const JOY = /[\u{1F389}\u{2705}\u{1F44D}\u{1F642}\u{1F600}\u{1F973}\u{1F4AA}]\u{FE0F}?/gu;
/** Signs that may turn a message round: "≠", "❓", "!done". */
const SIGN = /[^\p{L}\p{M}\p{N}\s.,!:;'"()&#@/+%$€£?-]|!(?=[\p{L}\p{N}=])/u;

/** The message with plain quotes and no word mended; undefined if it has a sign that may turn it round. */
export function plainText(text: string): string | undefined {
  const plain = text
    .replace(JOY, '')
    .replace(/\s*[\u2713\u2714\u2611]\uFE0F?\s*$/u, ' done')
    .normalize('NFKC')
    .replace(/[‘’‚‛`´]/g, "'")
    .replace(/[“”„‟«»]/g, '"')
    .replace(/[–—]/g, '-')
    .replace(/[^\S\n]+/g, ' ')
    .trim();
  return SIGN.test(plain.replaceAll('->', '')) ? undefined : plain;
}

/** The clauses of a message. Clauses that are joined by "and" stay whole: titles and lists have that word too. */
export function splitParts(text: string): PlainPart[] {
  return text
    .split(BREAK)
    .map(trimPart)
    .filter(({ words }) => words !== '');
}

/** The same, with clauses taken apart at "and". */
export function splitJoined(part: PlainPart): PlainPart[] {
  return part.words
    .split(JOINT)
    .map(trimPart)
    .filter(({ words }) => words !== '');
}

/** Takes away what opens and closes a clause and says nothing. */
export function trimPart(clause: string): PlainPart {
  let words = clause.replace(EDGE, '');
  let isRequest = false;
  for (;;) {
    const opened = words.replace(OPENING, '');
    const asked = opened.replace(REQUEST, '');
    if (asked !== opened) isRequest = true;
    const next = (isOrder(asked) ? asked.replace(/\s+for me$/i, '') : asked).replace(CLOSING, '').replace(EDGE, '');
    if (next === words) return { words, isRequest };
    // "thanks" alone is a closing and an opening.
    if (next === '') return { words: '', isRequest };
    words = next;
  }
}

function isOrder(words: string): boolean {
  return /^(?:delete|remove|mark|tick|undo|rename|complete|get rid|take|cross|erase)\b/i.test(words);
}
