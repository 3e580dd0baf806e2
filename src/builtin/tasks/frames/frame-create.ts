import { unquote } from '../../../language/clean-text.ts';
import { type FrameReader, ITEM, isTimeLike, MY, MY_LIST, pattern, type Slots, type TaskFrame } from './frame.ts';
import { readAsOne, trimTitle } from './trim-title.ts';

const ADD = String.raw`(?:add|create|make|put|insert|record|log|note|jot|write|set up|set|start|save|enter|include|throw|stick|queue(?: up)?|track|register|schedule|append|stick|pencil in|place|toss|open|begin|generate|give me|get me|get|i (?:want|need)|i(?:'d| would) like|new|build|drop|plan)`;
const ANOTHER = String.raw`(?:(?:an?|another|one more|new|the|this|following|quick|simple|my|more|one)\s+)*`;
const NAMED = String.raw`(?:\s*(?::|-|=|,)\s*|\s+(?:(?:called|named|titled|labell?ed|that says|saying|which says|reading|that reads|to|for|about|of|regarding|that|as)\s+)+)`;

const REMIND = pattern(
  String.raw`^(?:(?:remind|ping|nudge|alert|prompt)\s+(?:me|us|myself)|remind(?=\s+(?:to|about|of)\b)|(?:send|give)\s+me\s+a\s+reminder|ask me(?=\s+(?:to|tomorrow|on|at|next|in|later)\b)|(?:(?:i|we)(?:'d| would)? (?:like|want|need) (?:to )?)?be reminded)\b\s*(.*)$`,
);
const REMINDER = pattern(
  String.raw`^(?:set|create|add|make|give me|put|schedule|i (?:need|want)|new|get me)?\s*(?:up\s+)?${ANOTHER}(?:reminder|alert|notification)\b(?:\s+(?:for me|in|on ${MY}(?:phone|calendar)|(?:on|in|to) ${MY_LIST}))?\s*(.*)$`,
);
const REMEMBER = pattern(
  String.raw`^(?:remember(?: me(?=(?: please)? (?:to|that)\b)(?: please)?| for me(?= (?:to|that)\b))?|don'?t (?:let me )?forget|do not (?:let me )?forget|never forget|make (?:sure|certain)|be sure|i (?:must|should|need to|have to|can't|mustn't|shouldn't|better|want to) (?:not )?(?:remember|forget)|note(?: to self| down)?|make a note|take a note|mental note|keep in mind|put (?:it |this )?down|jot down|write down)\s*(?::|-|,)?\s+(?:(?:that\s+)?(?:i|we)(?:'ve| have| need| must| should|'ll)?(?: got)?\s+(?:to\s+)?|to\s+|about\s+|that\s+|the\s+fact\s+that\s+)?(.+)$`,
);
const ADD_ITEM_TO_LIST = pattern(
  String.raw`^${ADD}\s+(?:down\s+)?${ANOTHER}(?:(\S.*?)\s+)?(?:to|on|onto|in|into|under|for|as)\s+${MY_LIST}((?:\s*(?::|-|,)\s*|\s+(?:to|called|named|saying|for)\s+).+|\s+(?:for |by |on |due |at |before )?(?:today|tomorrow|tonight|next|this|monday|tuesday|wednesday|thursday|friday|saturday|sunday|[0-9]).*)?\W*$`,
);
const ADD_ITEM = pattern(
  String.raw`^${ADD}\s+(?:me\s+|down\s+)?${ANOTHER}((?:[\w'-]+\s+){0,3}?)${ITEM}(?:\s+(?:in|on|to|for)\s+${MY_LIST}|\s+for me)?(?:${NAMED}(.*)|\s+(["'].*)|\s*)$`,
);
const AS_ITEM = pattern(String.raw`^${ADD}\s+(.+?)\s+as\s+(?:an?|another|my)\s+(?:new\s+|next\s+)?${ITEM}\W*$`);
const ITEM_COLON = pattern(
  String.raw`^(?:(?:${ANOTHER})${ITEM}\s*(?::|-|=)\s*|(?:an? |new |one more )?(?:task|to-?do|reminder) (?:to|for)\s+|(?:another|one more|one other|next|also|plus)(?: one| thing| task| item)?\s*:\s*|(?:another one|one (?:more|other)(?: one| thing| task| item)?)\s*[,-]\s+)(.+)$`,
);
const NEW_ITEM = pattern(String.raw`^new\s+${ITEM}(?:\s+(?:to|for|called|about)\s+|\s+|$)(.*)$`);
const ON_LIST = pattern(String.raw`^(?:on|to|in|onto)\s+${MY_LIST}\s*,?\s+(?:please\s+)?(?:${ADD})\s+(.+)$`);
const LIST_ADD = pattern(String.raw`^${MY_LIST}\s*(?::|,)\s*(?:add|put)\s+(.+)$`);
const NEED = pattern(
  String.raw`^(?:((?:today|tomorrow|tonight|later|next week|this week|on \w+day|this \w+),?)\s+)?(?:(?:i|we)(?:'ve| have|'ll|'d| really| still| also| just| definitely| absolutely| gotta|'m)*\s*)?(?:(?:need|have|got|ought|want|plan|supposed|going|intend|hope|promised) to|promised (?:\w+ ){1,3}?(?:i'd|i would|to)|must(?: also)?(?: to)?|should(?: really)?|gotta|better(?! not\b)|need)\s+(?:remember to\s+|make sure (?:to |i )?|be sure to\s+)?(.+)$`,
);
const ADD_ITEM_PLAIN = pattern(
  String.raw`^(?:add|create|new|make)\s+${ANOTHER}(?:task|to-?do|reminder)\s+(?!list\b)(\w.*)$`,
);
const SCHEDULE = pattern(String.raw`^(?:schedule|pencil in)\s+(.+)$`);
const CHORE = pattern(
  String.raw`^(?:buy|clean|wash|water|mow|fix|repair|paint|pick up|drop off|return|renew|submit|prepare|review|study|practi[cs]e|iron|vacuum|sweep|feed|walk|bake|cook|pack|write|email|call|text|pay|visit|meet|do the|do my|take out|take the|get the|get some|order|print|sign|file|finali[sz]e|draft|mail|ship|fold|dust|mop|rake|shovel|sort|sell|donate|replace|charge|install|read|learn|exercise|grab|bring|wrap|sew|assemble|register for|apply for|follow up|research|finish|hand in|turn in|dry|trim|change the|back up|update my|cancel my|send|book|plan|arrange|organi[sz]e)\b(?!\s+me\b)\s*(.+)$`,
);
const ADD_BARE = pattern(
  String.raw`^(?:add|create|jot down|write down|note down|put down|todo|to-do|(?:put|enter|record|log|register|save|note)(?=\s+["']))(?!\w)\s*(?::|-)?\s*(.*)$`,
);
const ITEM_HEAD = pattern(String.raw`^${ANOTHER}${ITEM}(?:${NAMED}(.*)|\s+(["'].*)|\s*)$`);
const ENDS_IN_ITEM = pattern(String.raw`\b(?:${ITEM}|list)\W*$`);
const OUT_OF = pattern(
  String.raw`^(?:i|we)(?:'m|'re| am| are| have| don't have| ran| just)*\s*(?:(?:run |ran )?(?:out of|low on)|no(?: more)?|any(?: more)?)\s+(.+?)\s*(?:,|\.|;)?\s*(?:so\s+|and\s+)?(?:will you |can you |could you |please |you should )*(?:put|add|get|place|include)\s+(?:that|it|them|those|some|one|more)\b.*$`,
);
const IF_NOT = pattern(
  String.raw`^(?:is|are|do i have|do we have|check if|see if|if)\s+(.+?)(?:\s+(?:is|are|isn't|aren't))?\s+(?:already\s+|not\s+)?(?:on|in)\s+${MY_LIST}\s*[,?.]?\s+(?:and\s+)?(?:if (?:not|it isn't|they aren't|it's not)|add|please add|put)\b.*$`,
);
const EMPTY_TITLE = pattern(
  String.raw`^(?:${MY}(?:${ITEM}|something|anything|stuff|this|that|it|them|both|all of (?:them|these|those|it)|one|thing|things|these|those|new|note|following|some more|more|one more|another(?: one)?|later|again|soon|me|a few things|some things|to|to do something|do something|(?:some )?help(?: with .*)?)|(?:to|for|about|in|on|of)?\s*${MY_LIST})?$`,
);

const NEW_LIST = pattern(
  String.raw`^(?:(?:(?:i|we) (?:need|want|have|must)(?: to)?\s+)?(?:create|make|start|begin|new|set up|build|prepare|generate|compile)\s+(?:me\s+)?(?:(?:an?|another|new|blank|empty|fresh)\s+)*|(?:open(?: up)?|give me|get me|i (?:want|need))\s+(?:(?:an?|another|new|blank|empty)\s+)+)(?:(?:(?:today|tomorrow|(?:this|next) week)'s|things to do|to do|to-?do|shopping|grocery|task|packing|wish|new)\s+)*(?:check)?lists?(?:\s+for (?:me|my work|work|today|tomorrow|this week))?\W*$`,
);

/** "remind me to …", "add … to my list", "new task: …", "I need to …". */
export const readCreate: FrameReader = (clause) => (OF_NOTE.test(clause) ? undefined : readNew(clause));

/** "put 'ask for Dr Singh' in the description of the call" and "put 10am on it" change a task. */
const OF_NOTE =
  /\b(?:as|in|into) (?:the )?(?:description|notes?|details?) (?:of|for|on)\b|^(?:put|stick) \S+(?: \S+)? on (?:it|that|this)\W*$/i;

const readNew: FrameReader = (clause) =>
  readNewList(clause) ??
  readConditional(clause) ??
  readReminder(clause) ??
  readList(clause) ??
  readItem(clause) ??
  readNeed(clause) ??
  readBareAdd(clause) ??
  readChore(clause);

function readNewList(clause: string): TaskFrame | undefined {
  return NEW_LIST.test(clause)
    ? { action: 'create', sure: true, slots: {}, missing: 'title', isList: true }
    : undefined;
}

/** "I'm out of milk, put it on my list", "is milk on my list? if not, add it". */
export function readConditional(clause: string): TaskFrame | undefined {
  const match = OUT_OF.exec(clause) ?? IF_NOT.exec(clause);
  return match ? create(String(match[1]).replace(/^(?:the|my|any)\s+/i, ''), true) : undefined;
}

function readReminder(clause: string): TaskFrame | undefined {
  if (/^remind me (?:who|what|how|why|where|if|whether)\b/i.test(clause)) return undefined;
  const remind = REMIND.exec(clause) ?? REMINDER.exec(clause);
  if (remind) return create(dropLink(String(remind[1])), true);
  const remember = REMEMBER.exec(clause);
  if (!remember) return undefined;
  return /^(?:put|jot|write|note|make a note|take a note)\b/i.test(clause)
    ? createThing(String(remember[1]), true)
    : create(String(remember[1]), true);
}

/** "tomorrow to call mom" keeps its time; "to call mom", "about the rent" lose their link. */
function dropLink(text: string): string {
  const direct = text.replace(/^\s*(?:again\s+)?(?:(?:to|about|of|that|for|regarding|when|:|-)\s+)+/i, '');
  if (direct !== text) return direct.replace(/^(?:i|we) (?:need|have|must|should|got)(?: got)?(?: to)?\s+/i, '');
  return text.replace(
    /^(.{3,40}?)\s+(?:to|that i (?:need|have) to|about)\s+(\S.*)$/is,
    (all, lead: string, rest: string) => (isTimeLike(lead) ? `${rest} ${lead}` : all),
  );
}

function readList(clause: string): TaskFrame | undefined {
  const onList = ON_LIST.exec(clause) ?? LIST_ADD.exec(clause);
  if (onList) return create(String(onList[1]), true);
  const asItem = AS_ITEM.exec(clause);
  if (asItem) return create(String(asItem[1]), true);
  const toList = ADD_ITEM_TO_LIST.exec(clause);
  if (!toList) return undefined;
  const [, title = '', after = ''] = toList;
  const named = stripItem(title);
  const tail = after.replace(/^[\s:,-]+/, '');
  return create(
    named === '' ? tail.replace(/^(?:to|called|named|saying|for)\s+/i, '') : `${named} ${isTimeLike(tail) ? tail : ''}`,
    true,
  );
}

/** "a task to buy milk" → "buy milk"; "an item" → "". */
function stripItem(text: string): string {
  const head = ITEM_HEAD.exec(text);
  return head ? (head[1] ?? head[2] ?? '') : text;
}

function readItem(clause: string): TaskFrame | undefined {
  const match = ADD_ITEM.exec(clause);
  if (match) {
    const [, kind = '', named, quoted] = match;
    return create(named ?? quoted ?? kind, true);
  }
  const colon = ADD_ITEM_PLAIN.exec(clause) ?? ITEM_COLON.exec(clause) ?? NEW_ITEM.exec(clause);
  return colon ? create(String(colon[1]), true) : undefined;
}

function readNeed(clause: string): TaskFrame | undefined {
  const early = /^((?:(?:by|on|before|at|until|for)\s+)?.{2,30}?),?\s+((?:i|we)\b.+)$/is.exec(clause);
  if (early && isTimeLike(String(early[1])) && NEED.test(String(early[2]))) return readNeed(`${early[2]} ${early[1]}`);
  const need = NEED.exec(clause);
  return need ? create(`${need[2]} ${need[1] ?? ''}`, false) : undefined;
}

function readBareAdd(clause: string): TaskFrame | undefined {
  const bare = ADD_BARE.exec(clause);
  return bare ? createThing(String(bare[1]), false) : undefined;
}

/** "buy milk": a title without any command. */
export function readChore(clause: string): TaskFrame | undefined {
  const scheduled = SCHEDULE.exec(clause);
  if (scheduled)
    return create(String(scheduled[1]), /^["']|^pencil/i.test(String(scheduled[1])) || /^pencil/i.test(clause));
  const isTitle = CHORE.test(clause) && !ENDS_IN_ITEM.test(clause);
  return isTitle ? create(clause, false) : undefined;
}

/** "call Ann, please add it", "…, put it on the list": the command comes last. */
const CALLED_FOR =
  /(?:,?\s+(?:pls|please))?\s*[,;]\s*(?:(?:please|pls|could you|can you|and|do|kindly|so)\s+)*(?:add|note|write|put|save|remember)(?:\s+(?:it|that|this|both|them|these))?(?:\s+down)?(?:\s+(?:in|on|to)\s+(?:the|my)\s+list)?(?:\s+(?:please|pls|for me))*\W*$/i;

/** A quoted title is final; what follows it may be a description. */
function readQuoted(text: string): Slots | undefined {
  const [, , title = '', after = ''] = /^\s*(?:(?:called|named|titled)\s+)?("|')(.+?)\1(?=\W|$)(.*)$/s.exec(text) ?? [];
  if (
    title.trim() === '' ||
    // Another title follows.
    /^\s*(?:,|;|&|\+|\band\b)[\s\w,]*["'][^"']+["']/i.test(after) ||
    !/^[\s,.]*$|\b(?:description|note|details?|due|no due date|by|on|at|for|tomorrow|today|next|in)\b/i.test(after)
  )
    return undefined;
  const described =
    /\b(?:description|notes?|details?)\s*(?:of|:|=|saying|that says)?\s*(?:"([^"]+)"|'([^']+)'|(.+?)[.\s]*$)/i.exec(
      after,
    );
  const rest = (described ? after.replace(described[0], ' ') : after)
    .replace(/\b(?:with|and|the|a|an|no due date|if you please|please)\b/gi, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s,.]+/, '')
    .trim();
  const description = described?.[1] ?? described?.[2] ?? described?.[3];
  return {
    title: title.trim(),
    ...(rest.replace(/\W/g, '') !== '' && { when: rest }),
    ...(description !== undefined && { description }),
  };
}

/** Whether a title says nothing: "a task", "something". */
export function isEmptyTitle(title: string): boolean {
  return EMPTY_TITLE.test(title);
}

/** "put down the dentist": a thing that is added loses its article. */
function createThing(words: string, sure: boolean): TaskFrame {
  const frame = create(words, sure);
  const title = frame.slots.title?.replace(/^(?:the|an?)\s+(?=\p{L})/iu, '');
  if (title === undefined || frame.isQuoted || isEmptyTitle(title)) return frame;
  return { ...frame, slots: { ...frame.slots, title } };
}

function create(title: string, sure: boolean): TaskFrame {
  const quoted = readQuoted(title);
  if (quoted) return { action: 'create', sure: true, slots: quoted, isQuoted: true };
  const whole = readAsOne(title);
  const clean = trimTitle(unquote(whole ?? title))
    .replace(/^(?:also |then |just |really )?(?:to\s+)(?=\w+)|^also\s+(?=\S)/i, '')
    .replace(CALLED_FOR, '')
    .replace(/(?:\s+(?:too|as well|after all)|,?\s+(?:and\s+)?it(?:'s| is)(?:\s+(?:for|due))?)\W*$/i, '');
  if (isEmptyTitle(clean)) return { action: 'create', sure, slots: {}, missing: 'title' };
  return {
    action: 'create',
    sure,
    slots: { title: clean },
    ...(whole !== undefined && { isWhole: true }),
  };
}
