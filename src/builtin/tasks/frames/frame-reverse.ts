import { cleanReference } from './clean-reference.ts';
import { type FrameReader, pattern } from './frame.ts';

const OPENING = String.raw`^(?:(?:oh(?: dear)?|jk|lol|haha|very well|yikes|ugh|you know what|on second thought|silly me|oops|ops|whoops|ups|no+|nope|wait|sorry|ok(?:ay)?|well|hmm+|um+|please|actually|ah|argh|hang on|hold on|damn|shit|my bad|then|and|just|let's|can you|could you)\b[\s,.!:-]*)*`;
const END = String.raw`(?:[\s,.!]*\b(?:please|pls|thanks|thank you|again|instead|then|after all|now|for me|ok(?:ay)?|all|everything|sorry(?: to bother you)?|i (?:wasn't|was not|am not|'m not) sure|i liked it better before|too much \w+(?: \w+)?|too late[\w\s]*|whole thing|batch|i was[\w\s]*|i wasn't[\w\s]*)\b)*\W*$`;
const THAT = String.raw`(?:that|it|this|them|all (?:of )?(?:that|this|it)|those)`;
const LAST = String.raw`(?:(?:the|my|your|that|this)\s+)?(?:(?:last|latest|previous|recent)\s+)?(?:one|batch|change|thing|action|step|command|edit|update|deletion|completion|move)`;
const UNDO = pattern(
  String.raw`${OPENING}(?:undo(?:\s+(?:${THAT}|${LAST}|last|what (?:i|you) just did))?|(?:revert|reverse|take back|roll ?back)(?:\s+(?:${THAT}|${LAST}))?|(?:take|roll|change|put|set|turn|make)\s+${THAT}\s+back(?:\s+(?:to )?(?:how|the way|what) it was(?: before)?)?|go back(?: (?:a|one) step)?|i (?:didn't|did not|don't) mean (?:to (?:do )?)?${THAT}|(?:that|this|it) (?:was|is) (?:wrong|a mistake|an? (?:error|accident)|not (?:right|what i (?:meant|wanted)))(?:[\s,.].*)?)${END}`,
);
const RESTORE = pattern(
  String.raw`${OPENING}(?:(?:bring|get|put|have|want|i want)\s+(.+?)\s+back(?:\s+(?:on|onto|to|in)\s+(?:my|the)\s+list)?|(?:restore|undelete|un-?delete|recover)\s+(.+?))${END}`,
);
const STRONG = pattern(
  String.raw`${OPENING}(?:(?:never ?mind|nvm)(?:[\s,]+(?:about )?${THAT})?|(?:forget|scratch|cancel|drop|ditch|scrap|ignore|abort|skip|disregard)(?:\s+(?:about\s+)?${THAT}(?:\s+(?:last )?(?:bit|part))?)|(?:don'?t|do not|not)\s+(?:add|delete|remove|do|change|move|rename|complete|mark|put|make|create|save)(?:\s+${THAT})?(?:\s+(?:as done|yet|again))?|don'?t|stop)${END}`,
);
/** "forget it, dear", "forget it bro": words behind it name no task. */
const FORGET_IT = pattern(
  String.raw`${OPENING}forget it(?![\s,]+(?:and|then)\b)(?:[\s,.!]+(?!(?:task|item|one)\b)\S.*)?$`,
);
/** "scratch that I'm at the station", "nvm delete that": a reason or the same order once more. */
const TAKEN_BACK = pattern(
  String.raw`${OPENING}(?:(?:scratch|cancel|forget|drop|ignore|disregard) (?:that|it)[\s,.!]+(?:i|i'm|i've|i'll|we|we're|it's|its|it|he|she|they|the|there|too|because|cos|cause|since|my|that's|forget it|never ?mind|scratch that)\b(?!.*\b(?:add|put|instead|make|move|change|rename)\b).*|(?:never ?mind|nvm)[\s,.!]+(?:just\s+)?(?:delete|remove|cancel|drop|scrap|take)\s+${THAT}(?:\s+(?:off|again|out))?)${END}`,
);
const MILD = pattern(
  String.raw`${OPENING}(?:(?:never ?mind|nvm)[\s,]+)?(?:(?:keep|leave) (?:it|that|them|everything)(?: (?:as (?:it|they) (?:is|are|was|were)|alone|there|be))?)${END}`,
);

/** A reason behind an order to look back; another order is none. */
const REASON = String.raw`(?:\s*[,;.-]\s+(?!(?:please |also |then |and |but |just |only )*(?:add|delete|remove|mark|move|rename|change|put|set|make|complete|show|list|remind|keep|leave|not|only|just|do|except)\b)\S.*)?$`;
const UNDO_BECAUSE = pattern(String.raw`${OPENING}undo(?:\s+(?:${THAT}|${LAST}))${REASON}`);
const RESTORE_BECAUSE = pattern(String.raw`${OPENING}(?:bring|get)\s+((?:the |my )?[^,;.]{2,40}?)\s+back${REASON}`);
const REDO = pattern(
  String.raw`${OPENING}(?:undo\s+(?:(?:the|that|my|your|this)\s+)?(?:last\s+)?undo|redo(?:\s+(?:${THAT}|${LAST}|the undo))?|un-?undo)${END}`,
);

/** "undo", "scratch that", "never mind", "bring it back": words that look back and name no task to delete. */
export const readReverse: FrameReader = (clause) => {
  if (REDO.test(clause)) return { action: 'undo', sure: true, slots: {}, isRedo: true };
  if (UNDO.test(clause) || UNDO_BECAUSE.test(clause)) return { action: 'undo', sure: true, slots: {} };
  if (STRONG.test(clause) || FORGET_IT.test(clause) || TAKEN_BACK.test(clause))
    return { action: 'dismiss', sure: true, slots: {} };
  if (MILD.test(clause)) return { action: 'dismiss', sure: true, slots: {}, isMild: true };
  const restore = RESTORE.exec(clause) ?? RESTORE_BECAUSE.exec(clause);
  if (!restore) return undefined;
  const ref = cleanReference(restore[1] ?? restore[2] ?? '');
  return { action: 'restore', sure: true, slots: ref === '' ? {} : { ref } };
};
