const NEGATION = String.raw`\b(?:not|never|no|none|nobody|nothing|neither|nor|without|hardly|barely|cannot|dont|didnt|isnt|wasnt|havent|wont|cant)\b|n't\b`;
const NEARLY = String.raw`\b(?:almost|nearly|half|halfway|partly|partially|mostly|sort of|kind of|kinda|close to|as good as|rest of)\b|%`;
const CONDITION = String.raw`\b(?:if|unless|until|till|when|whenever|once|as soon as|or|except|in case|provided)\b`;
const LATER = String.raw`\b(?:should|would|could|might|may|must|shall|will|gonna|going to|about to|have to|has to|had to|needs?|to be|yet|still)\b|'ll\b`;
const THOUGHT = String.raw`\b(?:tr(?:y|ies|ied|ying)|want|wants|wanted|plan|plans|planned|hope[sd]?|wish(?:es|ed)?|guess(?:ed)?|think|thinks|thought|suppose[ds]?|supposedly|allegedly|apparently|doubt(?:ed|s)?|bets?|assumed?|heard|believed?|reckon(?:ed)?|maybe|perhaps|probably|pretend(?:ed)?|imagined?|dream(?:ed|s|t)?|wonder(?:ed|s)?|offer(?:s|ed)?|suggest(?:s|ed)?|propose[sd]?|like|love)\b`;
const SPEECH = String.raw`\b(?:says?|said|tells?|told|asks?|asked|claim(?:s|ed)?|lie[sd]?|quote[sd]?|insist(?:s|ed)?|refuse[sd]?|promise[sd]?|swore|mention(?:s|ed)?|den(?:y|ies|ied)|example|e\.g|i\.e)\b`;
const JOKE = String.raw`\b(?:kidding|joking|jk|lol|lmao|sarcasm|sike|psych|as if)\b`;
const SECOND_THOUGHT = String.raw`\b(?:wrong|mistake|another|different|instead|actually|rather|keep|keeps|leave|wait|but|though|however|undo|forget|never ?mind|nvm|scratch|second thoughts?|sorry|i mean|because|since|else)\b`;

const DENIED = new RegExp(`${NEGATION}|${NEARLY}`, 'i');
const IMAGINED = new RegExp([CONDITION, THOUGHT, SPEECH, JOKE, String.raw`second thoughts?`].join('|'), 'i');
const EXPECTED = new RegExp(LATER, 'i');
const TURNED = new RegExp(
  [NEGATION, NEARLY, CONDITION, LATER, THOUGHT, SPEECH, JOKE, SECOND_THOUGHT, String.raw`\?`].join('|'),
  'i',
);

/** True if the words say that something is not so, or not quite. */
export function isDenied(words: string): boolean {
  return DENIED.test(words);
}

/** True if the words are about what is imagined, thought, said, joked or depends on something. */
export function isImagined(words: string): boolean {
  return IMAGINED.test(words);
}

/** True if the words are about what will or should be. */
export function isExpected(words: string): boolean {
  return EXPECTED.test(words);
}

/** True if words beside an order, or inside of a new name, may change what it means. */
export function mayTurnRound(words: string): boolean {
  return TURNED.test(words);
}
