const THAT = String.raw`(?:that|it|this|them|those|all of (?:that|it|them))`;
const LAST = String.raw`(?:(?:the|my|your|that|this)\s+)?(?:last|latest|previous|recent)(?:\s+(?:one|change|thing|action|step|command|edit|update|operation|deletion|completion|move))?|(?:that|this|the)\s+(?:change|step|action|edit|update|deletion|completion|move)`;
const PLAIN = new RegExp(
  String.raw`^(?:(?:no+|nope|nah)[,.!]+\s*)*(?:undo(?:\s+(?:${THAT}|${LAST}))?|redo(?:\s+(?:${THAT}|${LAST}))?|undo\s+(?:the\s+|that\s+)?(?:last\s+)?undo|go back (?:a|one) step|(?:revert|reverse|roll ?back|take back)(?:\s+(?:${THAT}|${LAST}))?|(?:take|roll)\s+${THAT}\s+back|(?:never ?mind|nvm)(?:\s+(?:about\s+)?${THAT})?|(?:forget|scratch|cancel|drop|scrap|ignore|disregard|strike|skip)\s+(?:about\s+)?${THAT}(?:\s+(?:last\s+)?(?:bit|part))?|don'?t\s+(?:add|save)\s+${THAT}|(?:never ?mind|nvm)[\s,]+(?:delete?|remove|cancel)\s+${THAT})$`,
  'i',
);

/** True if a clause says nothing but to take back what was just done. */
export function isPlainUndo(words: string): boolean {
  return PLAIN.test(words);
}

const RESTORE =
  /^(?:(?:no+|nope|nah|wait)[\s,.!]+)*(?:(?:bring|put|get|give|take|have|want|i want)\s+(?:it|that|them|those|all of (?:it|them)|\S+(?:\s+\S+){0,4}?)\s+back(?:\s+(?:on|onto|in|to)\s+(?:the|my)\s+list)?|(?:restore|undelete|recover)\s+.+|keep\s+(?:it|them|that|those|the\s+\S+))$/i;

/** True if a clause says nothing but to bring back what was deleted. */
export function isPlainRestore(words: string): boolean {
  return RESTORE.test(words) || isPlainUndo(words);
}
