import { cleanReference } from '../reference.ts';

const OPENING =
  /^(?:(?:hey|hi|hello|so|ok|okay|well|and|but|or|then|also|now|please|um+|uh+|oh|hmm+|wait|sorry|actually|right|yeah)\b[\s,.!:-]*)+(?=\S)/i;
const SUBJECT = '(?:i|we|you|he|she|they|it|anyone|anybody|someone|somebody|everyone|everybody|this|that|these|those)';
/** "can you add …", "would you mind …", "why don't you …": requests in the form of a question. */
const REQUEST =
  /^(?:(?:can|could|would|will|won't|can't) (?:you|u)\b|(?:would|do) you mind\b|do you think you (?:can|could)\b|(?:how|what) about\b|why (?:not|don'?t (?:you|we))\b|(?:can|could|may) (?:i|we) (?:please |also )?(?:add|create|have|get|put|make|see|set|move|reschedule)\b)/i;
/** "can you say if …": a request for an answer. */
const WHETHER =
  /^(?:(?:(?:can|could|would|will) (?:you|u)|please|i(?:'d| would) like to|i (?:want|need) to)\s+)*(?:tell me|say|check|know|find out|see|look|confirm|remember|recall|let me know|show me|i wonder|i'm wondering|i am wondering|not sure|i'm not sure|i am not sure|i (?:don't|do not) (?:know|remember)|do you (?:know|remember|recall|happen to know))\s+(?:if|whether|when|why|how|who)\b\s*/i;
const SURE_FORMS = new RegExp(
  String.raw`^(?:(?:is|are|was|were|am|does|isn't|aren't|wasn't|weren't|doesn't|didn't|haven't|hasn't|shouldn't|should|shall|may)\s+\S|(?:do|did|have|has|had|must|might|can|could|would|will|don't)\s+${SUBJECT}\b|(?:what|which|who|whose|where|why|how)\b|what's\b|when'?s?\s+(?:did|do|does|is|are|was|were|have|has|had|will|should|can|could|must|the|my|that|it)\b)`,
  'i',
);
/** With a question mark behind them, these begin a question too: "did the report get finished?". */
const MARKED_FORMS = /^(?:do|did|have|has|had|must|might|can|could|would|will)\s+\S/i;
/** A question mark behind an order is courtesy; behind a statement it makes a question. */
const ORDER =
  /^(?:add|create|insert|new|put|note|write|jot|record|log|make|set|give|open|start|remind|remember|don'?t (?:let me )?forget|schedule|mark|flag|tick|cross|complete|change|update|edit|move|reschedule|postpone|push|shift|delay|extend|reopen|show|list|task|todo|to-?do|reminder|let's|i(?:'d| would) like|i (?:need|want|have)|we (?:need|want|have))\b/i;
const INNER_REQUEST =
  /[,.;?!-]\s*(?:so |then |and |please )*(?:can|could|would|will) (?:you|u)\b|\b(?:remind me|if not|if it isn't|if it's not|add (?:it|them|that)|put (?:it|them|that))\b/i;
/** "I did not buy milk", "I forgot to buy milk": the task is as open as before. */
const NOT_DONE =
  /^(?:i|we)(?:'ve| have)?\s+(?:(?:still|also|just|totally|completely|actually)\s+)*(?:(?:did not|didn't|have not|haven't|had not|hadn't|could not|couldn't|was not able to|wasn't able to|not|never)\s+(?:yet\s+|even\s+|actually\s+|really\s+|manage to\s+|get (?:around )?to\s+)*|(?:forgot|forgotten|failed|neglected)\s+to\s+)(?=\S)/i;
const LEAD = new RegExp(
  String.raw`^(?:what|which|who|where|why|how|when|'s|if|whether|is|are|was|were|am|does|do|did|have|has|had|should|shall|may|must|might|can|could|would|will|isn't|aren't|wasn't|weren't|doesn't|didn't|haven't|hasn't|shouldn't|don't|${SUBJECT}|still|already|just|ever|even|really|actually|need|needs|has|have|to|be|been|it ok to|delete|remove|mark|complete|add|rename|change|finish|finished|done|completed|with)\b\s*`,
  'i',
);
const TAIL =
  /[\s,]*(?:\b(?:as|is|are|was|been|being|be|get|got|done|finished|completed?|bought|deleted|removed|added|paid|called|open|closed|due|yet|already|still|now|today|again|right|correct|or not|(?:did|have|is|was|are|do|has)n't (?:i|it|we|they)|(?:is|was|did|have) (?:it|i|we))|[?.!])[\s?.!,]*$/i;

/** True for a text that asks instead of ordering; polite requests ask for nothing. */
export function isQuestion(clean: string): boolean {
  const text = clean.trim().replace(OPENING, '');
  if (WHETHER.test(text)) return true;
  if (REQUEST.test(text) || INNER_REQUEST.test(text) || /\b(?:please|pls|plz)\s*\?+\s*$/i.test(text)) return false;
  if (SURE_FORMS.test(text)) return true;
  return /\?\s*$/.test(text) && (MARKED_FORMS.test(text) || !ORDER.test(text));
}

/** The words for what is asked about, or was not done; empty where the text names nothing. */
export function readAbout(clean: string): string {
  let about = clean.trim().replace(OPENING, '').replace(WHETHER, '').replace(NOT_DONE, '');
  for (let next = ''; next !== about; ) {
    next = about;
    about = about.replace(LEAD, '').replace(TAIL, '').trim();
  }
  return cleanReference(about);
}

/** True if the text says that something was not done: nothing may be marked as done for it. */
export function isNotDone(clean: string): boolean {
  return NOT_DONE.test(clean.trim().replace(OPENING, ''));
}

const DENIAL =
  "(?:do not|don'?t|never|no need to|there(?:'?s| is) no need to|you (?:needn'?t|need not|(?:don'?t|do not) (?:need|have) to|mustn'?t|must not|shouldn'?t|should not)|(?:i|we) (?:don'?t|do not) (?:want|need) you to)";
const WORK =
  '(?:ever |please |also |even )*(?:remind|add|create|insert|put|make|note|write|record|log|schedule|set|delete|remove|erase|clear|cancel|drop|mark|complete|finish|check|tick|cross|change|rename|update|edit|move|postpone|reschedule|touch)';
const FORBIDS = new RegExp(
  String.raw`^\s*(?:(?:please|pls|ok|okay|no|well|so|and|but|then|actually|hey|just|wait)[\s,]+)*${DENIAL}\s+${WORK}\b(?!.*[,.;-]\s*(?:just|instead|but|only)?\s*(?:add|move|put|push|make|rename|mark|tell|show)\b)`,
  'i',
);
/** "delete it. no wait, don't": the last word counts, and it leaves everything as it is. */
const TAKEN_BACK =
  /\S[.,;!-]+\s*(?:(?:or|oh|no+|wait|actually|sorry|hmm)[\s,.!]+)*(?:don'?t(?: do (?:it|that))?|never ?mind|nvm|forget (?:it|that)|scratch that|cancel that|just kidding|only joking|jk)[\s.!]*$/i;

/** True if the text forbids work on tasks, or takes its own order back; "don't eat sugar" may be a task. */
export function isForbidden(clean: string): boolean {
  return FORBIDS.test(clean) || TAKEN_BACK.test(clean);
}
