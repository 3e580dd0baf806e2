const OPENING = String.raw`(?:(?:please|pls|ok|okay|no|well|so|and|but|then|actually|hey|just)[\s,]+)*`;
const DENIAL =
  "(?:do not|don'?t|never|no need to|there(?:'?s| is) no need to|you (?:needn'?t|need not|(?:don'?t|do not) (?:need|have) to|mustn'?t|must not|shouldn'?t|should not)|(?:i|we) (?:don'?t|do not) (?:want|need) you to|(?:i|we) never (?:want|asked) you to)";
/** "don't forget milk" and "never mind" deny nothing that is asked for. */
const HARMLESS = String.raw`(?:let me (?:forget|miss)|forget|miss|lose|mind|hesitate|worry|you\b)`;
const FORBIDS = new RegExp(String.raw`^\s*${OPENING}${DENIAL}\s+(?!${HARMLESS})`, 'i');
const TASK_WORK =
  '(?:ever |please |also |even )*(?:remind|add|create|insert|put|make|note|write|record|log|schedule|set|delete|remove|erase|clear|cancel|drop|mark|complete|finish|check|tick|cross|change|rename|update|edit|move|postpone|reschedule)';
const FORBIDS_TASK_WORK = new RegExp(String.raw`${FORBIDS.source}${TASK_WORK}\b`, 'i');

/** A clean text says that something is not to be done. */
export function forbids(text: string): boolean {
  return FORBIDS.test(text);
}

/** The same of what is done with tasks; "don't eat sugar" may be a task. */
export function forbidsTaskWork(text: string): boolean {
  return FORBIDS_TASK_WORK.test(text);
}

/** The message asks whether, or how, something is to be done: that is no order yet. "What does a lamp cost?" asks for a value, not whether. */
export function asksWhether(text: string): boolean {
  return /^\s*(?:(?:should|shall|must|may|can|could|do|did|would|have|had|am) (?:i|we|one)\b|how (?:do|can|could|would|should|to|does)\b|why\b|(?:is|was|are|were) it\b|what if\b|if\b)/i.test(
    text,
  );
}
