/** Sentences with the words of an errand that order none. */
const REMARKS: readonly RegExp[] = [
  // "I must have lost my keys", "I should have called Anna"
  /\b(?:must|should|could|would|might|may)(?:n't| not)?(?:'ve| have) (?:\p{L}{3,}ed|been|lost|left|gone|done|made|got|said|told|taken|forgotten|seen|known|bought|sent|paid|put|had|come|thought|brought|given|eaten|written|rung)\b/iu,
  // "dinner with Anna last Friday"
  /\blast (?:mon|tues|wednes|thurs|fri|satur|sun)day[.!\s]*$/i,
  /\b(?:i|we) (?:remembered|managed|used|decided|tried|wanted|meant|was going|were going) to \p{L}/iu,
  /\b(?:might|may) have to\b/i,
  // "I have to go now", "we need to talk", "got to run"
  /^(?:(?:ok(?:ay)?|sorry|well|right|anyway|hey|oh)[\s,]+)*(?:(?:i|we)(?:'ve)? (?:have to|need to|must|got to|gotta|should|better)|gotta|got to|need to|have to) (?:go|run|talk|dash|leave|fly|think|sleep|pee|stop|hurry|be (?:off|going))(?: (?:now|soon|then|to (?:bed|sleep)|about (?:it|this)|bye))*[\s.!,x]*$/i,
  /\byou(?:'ve)? remind(?:ed)? me (?:of|about how)\b/i,
  /\blet(?:'s| us) (?:say|pretend|imagine|suppose) (?:i|we|you|that|he|she|they)\b/i,
  // The errand of somebody else.
  /^(?:(?:ok(?:ay)?|so|well|oh|and|now)[\s,]+)*(?:(?:he|she) (?:needs|has|wants|ought)|they (?:need|have|want|ought)) to (?!be\b|come\b|go\b|see\b|get\b)\p{L}/iu,
  /^(?:[Oo]k(?:ay)?[\s,]+|[Ss]o[\s,]+|[Ww]ell[\s,]+|[Oo]h[\s,]+|[Aa]nd[\s,]+)*(?!(?:It|That|This|Everyone|Everybody|Someone|Somebody)\b)\p{Lu}\p{Ll}+ (?:needs|has|wants|ought) to (?!be\b|come\b|go\b|see\b|get\b)\p{L}/u,
];
/** Orders that are taken back in the same message. */
const TAKEN_BACK: readonly RegExp[] = [
  // "add a chair. Or no, forget it"
  /\b(?:add|remind|put|note)\b.*[.,!;]\s*(?:(?:or|oh|actually|wait|no|hm+|nah|nope)[\s,]+)*(?:forget it|never ?mind|scratch that|nvm)\b(?!.*\b(?:add|remind|put|note)\b)/i,
  /[.,!\s]\s*(?:just kidding|jk|not!|only joking|i'm joking)[\s.!]*$/i,
];
const ORDER = /^(?:please )?(?:add|remind|note|put|new|todo|to-?do)\b/i;
/** Answers to "what should I add?" that name nothing. */
const NOTHING =
  /^(?:i (?:don'?t|do not) know|i forgot|i(?:'ve| have) forgotten|not sure|no idea|wait|hang on|hold on(?: a (?:sec|second|moment|minute))?|one (?:sec|second|moment|minute)|(?:hmm+|um+|er+m?)[\s,.]*(?:let me think)?|let me think|never ?mind|nothing|nothing really|forget it)[\s.!?…]*$/i;

/** True for a message that speaks of an errand and orders none. */
export function isNoErrand(text: string): boolean {
  const said = text.trim();
  if (TAKEN_BACK.some((form) => form.test(said))) return true;
  return !ORDER.test(said) && REMARKS.some((remark) => remark.test(said));
}

/** True for an answer that names nothing to add. */
export function isNothing(text: string): boolean {
  return NOTHING.test(text.trim());
}
