/** Words before an order or a report that say nothing about it. */
const OPENING =
  /^(?:ok(?:ay)?|k|so|well|very well|right|alright|great|good(?: news| morning| evening)?|yay|yes|yep|yeah|yup|oh|ah|hey|hi(?: there)?|hello|phew|finally|and|also|then|now|please(?: to(?= \p{L}))?|pls|plz|kindly|thanks|thank you|cool|nice|perfect|woo+(?:hoo)?|hooray|btw|by the way|fyi|(?:quick )?update|just|first|next|lastly|on second thoughts?|change of plans?|turns out|clean ?up|oops|sorry|actually|wait|hmm+|um+|er+m?|uh+)(?:[\s,:!.-]+|$)/iu;
/** A request in the form of a question or a wish. */
const REQUEST =
  /^(?:(?:can|could|would|will) (?:you|u)(?: (?:please|kindly|also|just))*|you (?:can|may|could)(?: (?:now|also|just))*|go ahead and|i(?:'d| would) like (?:you )?to|i (?:want|need) you to|i want to|feel free to|would you mind|let's)\s+/i;
const CLOSING =
  /[\s,.!-]+(?:please|pls|plz|thanks(?: (?:a lot|so much))?|thank you(?: (?:so|very) much)?|thx|ty|cheers|ta|now|already|finally|too|as well|also|again|then|at (?:long )?last|just now|really|in the end|after all|thank (?:god|goodness)|yay|phew|woo+(?:hoo)?|mate|dear|love|btw|ok(?:ay)?|haha+|:\)|x{1,3})$/i;
const EDGE = /^[\s,.!;:-]+|[\s,.!?;:-]+$/g;

/** A clause without the words around it. `isRequest`: it is worded as a request to do something. */
export interface Bare {
  words: string;
  isRequest: boolean;
}

/** Takes away what opens and closes a clause and says nothing. Quotes at its edges stay. */
export function withoutCourtesy(clause: string): Bare {
  let words = clause.replace(EDGE, '');
  let isRequest = false;
  for (;;) {
    const opened = words.replace(OPENING, '');
    const asked = opened.replace(REQUEST, '');
    if (asked !== opened) isRequest = true;
    const next = asked
      .replace(/\s+for me$/i, '')
      .replace(CLOSING, '')
      .replace(EDGE, '');
    if (next === words) return { words, isRequest };
    if (next === '') return { words: '', isRequest };
    words = next;
  }
}
