import { contentStems } from '../../../language/words.ts';
import { isTimeLike, pattern } from './frame.ts';
import { readFrame } from './read-frame.ts';
import { readTaskList, splitErrands } from './split-list.ts';

const ORDER = String.raw`(?:(?:please|pls|kindly|so|then|now|can you|could you|would you|do)\s+)*(?:add|note|put|create|write down|jot down|enter|remind me)\b`;
/** "we are selling the house. Please add: …", "the accounts must be closed, please add …". */
const BEFORE_ORDER = pattern(
  String.raw`^([^"\n:]{8,120}?[\w)])(?:[.!]\s+|,\s+(?:so\s+)?(?=please|pls|kindly|can you|could you|would you))(?=(${ORDER}.*)$)`,
);
/** "our son is coming, so we need to make up the beds". */
const BEFORE_NEED = pattern(
  String.raw`^([^"\n:]{8,120}?[\w)]),?\s+so\s+(?=((?:i|we)(?:'ll|'ve)?\s+(?:really\s+|also\s+|still\s+)*(?:need to|have to|must|ought to|should|had better)\s.*)$)`,
);
const NEED = /^(?:i|we)\b.*?\b(?:need to|have to|must|ought to|should|better)\s+/i;
const TIME =
  /\b(?:(?:by|on|before|until|at)\s+)?(?:the\s+)?(?:today|tonight|tomorrow|(?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d{1,2}(?:st|nd|rd|th)? of \w+|\d{1,2}(?:st|nd|rd|th))\b(?:\s+(?:morning|afternoon|evening))?(?:\s+at\s+(?:\w+ past )?[\w:]+)?/i;

/**
 * Drops a remark before an order. A time in the remark is kept where both speak of the same thing: "I shall visit Ruth
 * on Saturday. Please note visit Ruth".
 */
export function dropPreamble(text: string): string {
  const before = BEFORE_ORDER.exec(text) ?? BEFORE_NEED.exec(text);
  const [, remark = '', order = ''] = before ?? [];
  if (order === '' || isOrder(remark)) return text;
  // A need alone may be about anything; with a time or a second errand it is a plan.
  if (/^(?:i|we)\b/i.test(order) && !isTimeLike(order) && splitErrands(order.replace(NEED, '')).length === 0)
    return text;
  const time = TIME.exec(remark)?.[0];
  if (time === undefined || isTimeLike(order) || readTaskList(order).length > 0) return order;
  const stems = contentStems(order);
  const isSame = contentStems(remark.replace(time, ' ')).some((stem) => stems.includes(stem));
  return isSame ? `${order.replace(/[\s.!]+$/, '')} ${time}` : order;
}

/** True if the words before are an order of their own, which must not be lost. */
function isOrder(remark: string): boolean {
  const frame = readFrame(remark);
  return (
    frame !== undefined &&
    (frame.sure || !/^(?:the|our|my|his|her|we|i think|i shall|he|she|they|there|it|by)\b/i.test(remark))
  );
}
