import { remarksOf } from '../request.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import { type Candidate, SURE } from './candidate.ts';
import type { MessageValues } from './values/message-values.ts';

const WORD = String.raw`(?!(?:one|two|three|four|five|six|seven|eight|nine|ten|need|is|are|of)\b)[\p{L}\d][\p{L}\d_./'’-]*`;
const SUBJECT = new RegExp(
  String.raw`^(?:(?:the|my|our|his|her|their|that)\s+)?(?!(?:i|we|he|she|it|they|you|there|this|that|actually|no|someone|somebody|nobody|everyone|everybody|all|what|who)\b)(${WORD}(?:\s${WORD}){0,2}?)\s+(?:(?:on|in|at|from|for)\s+\S+(?:\s\S+)?\s+)?(?:just\s+|really\s+|still\s+|suddenly\s+)?(?:is|are|was|were|has|have|had|isn't|aren't|won't|can't|doesn't|didn't|keeps?|came|went|died|looks?|seems?|feels?|gets?|got|need|needs|wants?|says?|runs?|will|should|must|[a-z]{2,}[^s\W]s(?=\s+(?:on|in|at|again|up|out|off|down|back|all|us|me|every|like|too|to|when|since|and)\b)|[a-z]{3,}ed)\b`,
  'iu',
);
/** Words of arguments that take what is said, not what it is said of. */
const SPOKEN = /^(?:text|message|content|body|note|comment|summary|description|reason|query|subject|room|zone)$/;
const STANDS_FOR = /\b(?:it|them|this|that|these|those)\b/i;
const JUST_LIKELY = SURE.likely + 0.02;

/**
 * "checkout hangs on staging, bounce it": the order is about the thing that the remark before it speaks of. Without a
 * subject of its own, the remark's only name is that thing: "I'm not through with Middlemarch, let me keep it".
 */
export function readSubject({ words, isRequired }: ArgumentProfile, { text, names }: MessageValues): Candidate[] {
  const [remark] = isRequired && !words.some((word) => SPOKEN.test(word)) ? remarksOf(text) : [];
  if (remark === undefined) return [];
  const value = SUBJECT.exec(remark)?.[1];
  if (value !== undefined) return [{ value, at: text.indexOf(value), length: value.length, score: JUST_LIKELY }];
  const end = text.indexOf(remark) + remark.length;
  const [only, ...others] = names.filter(({ at }) => at < end);
  return only && others.length === 0 && STANDS_FOR.test(text.slice(end)) ? [{ ...only, score: JUST_LIKELY }] : [];
}
