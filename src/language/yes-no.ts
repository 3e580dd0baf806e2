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

const YES =
  /^(?:ye(?:a|h|s+)?|yep|yeah|yup|ya|sure(?: thing)?|ok(?:ay)?|do it|go ahead|please do|go for it|confirm(?:ed)?|correct|right|that's right|that one|exactly|y|absolutely|of course|definitely|affirmative|indeed|proceed)\b[\s,.!]*(?:please|thanks|do it|go ahead|i'm sure|all(?: of them)?|both(?: of them)?|every(?:thing| (?:last |single )?one)(?: of them)?|that one|it is|the same)?[\s.!]*$/i;
/** The beginning of a refusal. */
const NO =
  /^(?:no|nope|nah|n|never ?mind|cancel(?: that)?|stop|don'?t(?: do (?:it|that))?|do not|forget (?:it|about it)|neither|none(?: of (?:them|those))?|leave it|skip(?: it)?|not now|nothing)\b[\s,.!]*/i;
const NOTHING_MORE =
  /^(?:thanks|thank you|please|it|that|keep (?:it|them)|(?:forget|leave|skip|drop|scratch) (?:it|that)|never ?mind|them|don'?t|sorry|wait|all)?[\s.!]*(?:thanks|thank you)?[\s.!]*$/i;

export function isYes(text: string): boolean {
  return YES.test(text);
}

const AGREEING = String.raw`(?:ye(?:a|h|s+)?|yep|yeah|yup|ya|sure(?: thing)?|ok(?:ay)?|absolutely|definitely|of course|correct|exactly|right|that's (?:right|correct|it|fine|the one|what i (?:meant|mean))|fine|confirm(?:ed)?|affirmative|indeed|proceed|please(?: do)?|thanks?|thank you|cheers|go (?:ahead|on|for it)|do (?:it|that|so)|by all means|sounds good|i'm sure|i am sure|i do|all(?: of (?:them|it|those))?|both(?: of them)?|every(?:thing| (?:last |single )?one)(?: of them)?|them all|the lot|that one|this one|the same|it is|you (?:can|may)|(?:just )?(?:delete|remove|erase|mark|tick|complete|rename|change|move|add|undo|take) (?:it|them|that|all|both|everything)(?: (?:all|off|back|as done|done|away))?|away with (?:it|them)|oh|haha|ah|well|um+)`;
const AGREED = new RegExp(String.raw`^${AGREEING}(?=[\s,.!-]|$)[\s,.!-]*`, 'i');
const SARCASM = /^(?:yeah|ya|sure|oh),? right\W*$/i;

/** True if all of a text agrees: "yes please, delete it". "yes, let me check" agrees to nothing yet. */
export function isPlainYes(text: string): boolean {
  const said = text.trim();
  return (isYes(said) || (YES_HEAD.test(said) && agrees(said))) && !SARCASM.test(said);
}

/** Takes one phrase after the other, never back, so that a long text takes no longer than its length. */
function agrees(text: string): boolean {
  let left = text;
  while (left !== '') {
    const next = left.replace(AGREED, '');
    if (next === left) return false;
    left = next;
  }
  return true;
}

const YES_HEAD =
  /^(?:(?:oh|hmm+|well|ok(?:ay)?|um+|uh|ah|of course|i guess so|haha|right)[\s,.!-]+)*(?:ye(?:a|h|s+)?|yep|yeah|yup|ya|sure|absolutely|definitely|of course|(?:correct|exactly|confirm(?:ed)?|go ahead|go on|do it|please do)(?=\s*(?:[,.!-]|$)))\b[\s,.!-]*/i;
/** Words behind a yes that limit it or take it back. */
const LIMITED =
  /\b(?:but|except|not|no|nope|never|only|wait|actually|instead|rather|keep|leave|later|other|another|first|second|third|last|then|and|also)\b|n't\b|\d|\?/i;
const MAX_TAIL_WORDS = 7;

/** The words behind a yes that do not limit it: "yes, away with it". Undefined if the text is no plain yes. */
export function afterYes(text: string): string | undefined {
  const head = YES_HEAD.exec(text);
  const rest = head === null ? undefined : text.slice(head[0].length).trim();
  const isPlain = rest !== undefined && !LIMITED.test(rest) && rest.split(/\s+/).length <= MAX_TAIL_WORDS;
  return isPlain ? rest : undefined;
}

/** A refusal and nothing else: "no, the other one" is an answer of its own. */
export function isNo(text: string): boolean {
  const match = NO.exec(text);
  return match !== null && NOTHING_MORE.test(text.slice(match[0].length));
}
