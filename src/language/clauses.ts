const VERBS = String.raw`(?:add|create|remind|remember|delete|remove|erase|mark|complete|finish|check off|tick off|cross off|show|list|rename|change|update|edit|move|reschedule|postpone|get rid of|cancel|clear|put|set|make|tell|display|i (?:need|have|finished|completed|bought|called|paid|did)|what|take (?=.*\b(?:off|from)\b))`;
const BREAK = new RegExp(
  String.raw`\s*(?:;|\n+|(?<=\w{2})[.!?](?=\s+\S)|,?\s+and then|,?\s+and also|,?\s+then also|,\s*then|,?\s+also,?|,?\s+(?:and|then|plus|but)|,)\s+(?=(?:please |also |then |so |now |ok |can you |could you )*${VERBS}\b)`,
  'gi',
);
/** Free text follows these words, so a verb after "and" may belong to a title. */
const OPEN_ENDED =
  /\b(?:remind me|remember|don'?t forget|i (?:need|have|want|must|should)|make sure|task to|reminder to|called|titled|todo to|note)\b|\b(?:task|reminder|todo)\s*$/i;
const NAMES_TASK = /\b(?:tasks?|to-?dos?|list|reminders?|items?|as (?:done|complete|completed|finished))\b|["']/i;
const STARTS_PLAINLY =
  /^(?:(?:please|also|then|can you|could you)\s+)*(?:add|create|remind|remember|show|list|display|mark|what)\b/i;

/** Cuts a message into its commands; never inside quotes, and never where the rest may be a title. */
export function splitClauses(text: string): string[] {
  const quoted = [...text.matchAll(/"[^"]*"|(?<=^|\s)'[^']*'(?=$|\W)/g)].map((match) => [
    match.index,
    match.index + match[0].length,
  ]);
  const clauses: string[] = [];
  let start = 0;
  for (const match of text.matchAll(BREAK)) {
    if (quoted.some(([from = 0, to = 0]) => match.index > from && match.index < to)) continue;
    const before = text.slice(start, match.index);
    const after = text.slice(match.index + match[0].length);
    if (!isNewCommand(before, after, match[0])) continue;
    clauses.push(before.trim());
    start = match.index + match[0].length;
  }
  return [...clauses, text.slice(start).trim()].filter((clause) => clause !== '');
}

function isNewCommand(before: string, after: string, link: string): boolean {
  if (before.trim() === '' || isException(before, after, link)) return false;
  if (!OPEN_ENDED.test(before)) return true;
  if (/[;\n.!?]/.test(link)) return true;
  return STARTS_PLAINLY.test(after) || NAMES_TASK.test(after.slice(0, 80));
}

/** "delete everything but call mom", "keep the milk and delete everything else" are one command. */
function isException(before: string, after: string, link: string): boolean {
  const isBut = /\bbut\b/i.test(link) && /\b(?:all|everything|tasks|to-?dos|items|list|of them)\s*$/i.test(before);
  return isBut || (/^(?:keep|leave)\b/i.test(before.trim()) && /\b(?:else|others?|rest)\b/i.test(after));
}
