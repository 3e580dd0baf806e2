import { isActionVerb } from '../../../language/action-verbs.ts';
import { stem } from '../../../language/words.ts';

/** Signs in a sentence of what became of a task or should become of it. */

const DONE =
  /\b(?:done|finished|completed?|sorted(?: out)?|handled|dealt with|taken care of|took care of|(?:ticked|checked|crossed)(?: (?:it|that|them))? off|over with|over and done|out of the way|off (?:my|the) (?:plate|mind)|in the bag|wrapped up|all set|nailed|smashed|did (?:it|that|this|them|both)|accomplished|settled|history)\b/i;
const MARK =
  /\b(?:mark|tick|check|cross|count|consider|set)\b.*\b(?:done|off|completed?|finished|sorted)\b|^(?:tick|cross off|check off|complete|finish off|mark)\b/i;
const DENIED =
  /\b(?:not|never|no(?= (?:longer|way))|isn't|aren't|wasn't|weren't|didn't|don't|doesn't|haven't|hasn't|hadn't|can't|couldn't|cannot|won't|wouldn't|almost|nearly|half|forgot|forgotten|failed|fell through|if|unless|until|once|when|will|'ll|going to|gonna|to be|should|must|maybe|might|want to|need to|have to|has to|needs to|try to|tried)\b/i;
const UNDONE =
  /\b(?:re-?open|un-?(?:tick|check|mark|complete|do)|(?:not|isn't|wasn't|aren't|weren't|never)(?: actually| really| quite| properly| yet| even| totally)* (?:done|finished|complete|completed|sorted|ready|paid|sent|signed|booked|bought|fixed)|not (?:yet|done)|still (?:to do|open|pending|needs?|need to|have to|got to|outstanding|not|on)|(?:haven't|hasn't|didn't|have not|did not|never)(?: actually| really| even| yet)* (?:\p{L}+)|wrong (?:one|page|form|thing)|spoke too soon|fell through|bounced|(?:got|was|were) (?:declined|rejected|refused)|to do (?:again|after all)|lied)\b/iu;
const DROP_ORDER =
  /^(?:delete|remove|erase|scrap|drop|bin|kill|lose|ditch|strike|scratch|get rid of|cancel|forget(?: about)?|nix|axe|toss|trash|chuck(?: out)?|dump|del|take(?=.*\boff\b)|wipe|clear|cut|knock(?=.*\boff\b)|never mind(?= (?:the|about|my))|skip|leave out|no more)\b/i;
const DROPPED =
  /\b(?:(?:don't|do not|no longer|won't|needn't|doesn't|didn't) (?:need|want|have)(?: to)?|no (?:longer|need)|not (?:needed|necessary|happening|going|doing)|(?:is|are|was|got|been|'s) (?:now )?(?:cancell?ed|called off|off|scrapped|binned)|(?:can|may|could) (?:go|come off|be (?:deleted|removed|dropped|binned|scrapped))|called off|fell through)\b/i;

/** Verbs of one kind: the past of one says that a task with another is done. */
const KINDS: readonly string[] = [
  'buy get pick order collect fetch grab purchase restock pack take bring find pop bought got',
  'call ring phone telephone text email message write contact speak tell ask chase see visit talk reply answer confirm remind',
  'send post mail hand submit return drop deliver give file upload email ship',
  'pay settle transfer renew top',
  'book arrange schedule reserve make order',
  'clean wash tidy hoover vacuum mop dust scrub wipe do iron',
  'fix repair mend replace sort change',
  'finish write draft complete do review read proofread submit prepare',
];

const PAST_ALIASES: Readonly<Record<string, string>> = { payed: 'pay', gotten: 'get', sended: 'send', rung: 'ring' };

/** The base of a verb in the past; undefined for any other word. */
function pastOf(word: string): string | undefined {
  const lower = word.toLowerCase();
  const alias = PAST_ALIASES[lower];
  if (alias !== undefined) return stem(alias);
  const base = stem(lower);
  if (base === lower || /(?:s|ing)$/.test(lower) || lower.replace(/e$/, '') === base) return undefined;
  return isActionVerb(base) ||
    isActionVerb(`${base}e`) ||
    KINDS.some((kind) => kind.split(' ').map(stem).includes(base))
    ? base
    : undefined;
}

/** True if a text says in the past what a title orders: "bought", "rang", "posted". */
export function saysPast(text: string, title: string, isNamed: boolean): boolean {
  const verb = stem((title.toLowerCase().split(/\s+/)[0] ?? '').replace(/[^\p{L}]/gu, ''));
  const pasts = (text.match(/\p{L}+/gu) ?? []).flatMap((word) => pastOf(word) ?? []);
  const isVerb = isActionVerb(title.split(/\s+/)[0] ?? '');
  return pasts.some(
    (past) =>
      past === verb ||
      (isNamed &&
        isVerb &&
        KINDS.some((kind) => kind.split(' ').map(stem).includes(verb) && kind.split(' ').map(stem).includes(past))) ||
      (isNamed &&
        !isVerb &&
        /^(?:buy|get|pay|send|book|order|collect|fetch|pick|fix|sign|post|finish|clean|wash|return|submit|arriv)/.test(
          past,
        )),
  );
}

export const isDoneSaid = (text: string) => DONE.test(text) && !DENIED.test(text);
export const isMarkOrder = (text: string) => MARK.test(text) && !/\b(?:not|don't|do not|never)\b/i.test(text);
export const isDenied = (text: string) => DENIED.test(text);
export const isUndoneSaid = (text: string) => UNDONE.test(text);
export const isDropOrder = (text: string) => DROP_ORDER.test(text);
export const isDropSaid = (text: string) => DROPPED.test(text);
