const YES =
  /^(?:yes|yep|yeah|yup|ya|sure(?: thing)?|ok(?:ay)?|do it|go ahead|please do|go for it|confirm(?:ed)?|correct|right|that's right|that one|exactly|y|absolutely|of course|definitely|affirmative|indeed|proceed)\b[\s,.!]*(?:please|thanks|do it|go ahead|delete (?:it|them|all)|i'm sure|all of them|that one|it is|the same)?[\s.!]*$/i;
/** The beginning of a refusal. */
export const NO =
  /^(?:no|nope|nah|n|never ?mind|cancel(?: that)?|stop|don'?t(?: do (?:it|that))?|do not|forget (?:it|about it)|neither|none(?: of (?:them|those))?|leave it|skip(?: it)?|not now|nothing)\b[\s,.!]*/i;
const NOTHING_MORE =
  /^(?:thanks|thank you|please|it|that|keep (?:it|them)|them|don'?t|sorry|wait|all)?[\s.!]*(?:thanks|thank you)?[\s.!]*$/i;

export function isYes(text: string): boolean {
  return YES.test(text);
}

/** A refusal and nothing else: "no, the other one" is an answer of its own. */
export function isNo(text: string): boolean {
  const match = NO.exec(text);
  return match !== null && NOTHING_MORE.test(text.slice(match[0].length));
}
