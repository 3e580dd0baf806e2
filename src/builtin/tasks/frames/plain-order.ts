import { startsWithVerb } from '../../../language/action-verbs.ts';
import { dropPreamble } from './drop-preamble.ts';
import { isTimeLike, pattern } from './frame.ts';
import { readFrame } from './read-frame.ts';
import { readTaskList } from './split-list.ts';

const COMMAND = String.raw`(?:please |can you |could you |definitely |so |let's )*(?:add|remind me|remember to|put|note|write down|new task|delete|remove|mark|move|rename|change|shift|push|reschedule|postpone|show|tick off|i (?:really |still |also |just )*(?:have|need|must|should|ought))`;
/** "my list is growing: add milk", "I've decided: add milk", "for the year end: add milk". */
const COLON_REMARK = pattern(
  String.raw`^(?![^:\n]*\b(?:task|to-?do|reminder|item)\s*:)(?!(?:please\s+|also\s+)*(?:add|new(?! year)|todo|to-do|tasks?|delete|remove|mark|remind|note|put|rename|change (?!of plans?\b)|update|done|complete|finished|set|move|write)\b)[^:"\n]{3,60}:\s+(?=${COMMAND}\b)`,
);
/** "maybe... no, definitely add milk", "the office closes, so shift milk to Friday": what comes before is a remark. */
const DOTS_REMARK = pattern(
  String.raw`^[^:"'\n]{2,40}(?:\.\.\.|…)\s*(?:no|yes|ok|well)?[\s,]*(?:definitely\s+)?(?=${COMMAND}\b)`,
);
/** "call Ann, add it for Friday": the order comes last. */
const LATE = pattern(
  String.raw`^(.+?)(?:\s+(?:pls|please))?\s*(?:[,;.\n]|\s-)\s*(?:and\s+)?(?:(?:please|pls|can you|could you|would you|so|do|kindly|be an? (?:dear|angel|darling) and)\s+)*(?:(?:add|put|note|write|save|jot|record)\s+(?:it|that|this|them|both|these|all)(?:\s+(?:down|in|too))?(?:\s+(?:on|to|in)\s+(?:the|my)\s+list)?|(?<=,\s*(?:please |pls )?)add|keep (?:it|that|this) for me)(?:\s+((?:for|by|on|due|until)\s+.+?))?(?:[\s,]+(?:please|pls|thanks?|for me|too))*[\s.!]*$`,
);
/** Beginnings of a plan that are no part of its title. */
const PLAN = pattern(
  String.raw`^(?:(?:ok|okay|so|well|hmm+|oh|alright|right)[\s,]+)*(?:(?:let's say|maybe|the following(?: \w+)?:|(?:i (?:guess|think|suppose) )?i(?:'ll| will| should| could| must| might)|(?:i|we) (?:told|promised) .{2,25}? (?:i(?:'d| would)|to)|i(?:'d| would)? (?:want|like|love) to|(?:(?:i|we)(?:'m|'re| am| are) )?going to (?:need|have) to|(?:also )?need(?: to)?|.{3,60} if (?:i|we) (?:don't|do not)|(?:he|she|they|my \w+) (?:wants?|needs?|told|asked) (?:me|us) to|(?:i|we) (?:really |still |also )*(?:need|have|must|should|ought)(?: to)?|new year's resolution:)\s+)*`,
);
/** A remark behind a command, after a comma. */
const TAIL_REMARK =
  /,\s+(?:last chance\b[^,]*|before the (?:holidays|break|vacation)|year[- ]end\b[^,]*|no (?:rush|hurry)|(?:it's |that's |very |really )?(?:urgent|important)|asap|no (?:particular |specific |fixed |due )*(?:date|day|deadline)|whenever\b[^,]*|silly me|sorry|thank god|finally|at last|just in time|as (?:always|usual|well i guess)|if possible|(?:and |so |because |since )?(?:i'm|i've|i keep|i always|i never|i hope|i guess|i think|i suppose|my (?:memory|head|brain)|(?:my|the|our|his|her) \w+(?: \w+)? (?:is|are|was|were|has|have|had|will|won't|can|can't|did|does|doesn't|knows?|says?|said|took|got|gave|went|needs?|wants?|bailed|called|rang|never|always|no longer)|he|she|they|we|we're|there's|you|it's|it is|that's|it)\b[^,]*)[\s.!]*$/i;
/** A time that has no date. */
const VAGUE_TIME =
  /\s+before (?:the )?(?:holidays?|vacation|break|summer|winter|christmas break)(?: (?:start|begin)s?)?[\s.!]*$/i;
const GUESS_TAIL = /\s+(?:as well )?i (?:guess|think|suppose)[\s.!]*$/i;
const NEXT_SENTENCE = /^(.{6,}?[\p{L}\d"'])[?!.]\s+(\p{L}.*)$/su;
const REMARK_SENTENCE =
  /^(?:my|it|it's|he|she|they|we|we're|i'm|i've|i (?!need|have|must|should|want|also)|that|that's|this|there|something|so much|hope|thank|sorry|the)\b/i;

/** "two things for tomorrow" aside, a heading before one errand is a remark: "year end stuff: renew my passport". */
const HEADING = /^(?:[\w'-]+\s+){0,4}(?:stuff|things?|pile|one|more|resolution|reminder)\s*:\s+(?=(\w+\s+\S.*)$)/is;
/** Wordings of learners and of hurry, as the patterns know them. */
const REWRITES: readonly [RegExp, string][] = [
  [/^((?:please\s+)?)(?:put|write|note)\s+(?:in|on|into|to)\s+(?:the|my)\s+list\s*:?\s+/i, '$1add '],
  [/^((?:please\s+)?(?:make|create|add))\s+for me\s+(?=(?:an?\s+)?(?:new\s+)?(?:task|reminder|to-?do))/i, '$1 me '],
  [/^i need that i\s+/i, 'I need to '],
  [/^((?:please\s+)?(?:new|add|another)(?: an?)? (?:task|to-?do|reminder)),?\s+(?:please|pls)\s*:/i, '$1:'],
  [/^((?:please\s+)?)put me down for\s+/i, '$1add '],
  [
    /^(?:could|can|may|might) i (?:please )?(?:have|get)\s+(.+?)\s+as an?(?:other)? (?:new )?(?:task|to-?do|reminder|item)\W*$/i,
    'add task: $1',
  ],
  [
    /^((?:(?:yes|yeah|ok|and|also|please)[\s,]+)*(?:add|put)\s+\S.*?)\s+on there(?=(?:\s+(?:as well|too))?\W*$)/i,
    '$1 on my list',
  ],
  [/\band(?:\.\.\.|…)\s*(?:yes|yeah|ok)?[\s,]*(?:also\s+)?/i, 'and '],
  [/^((?:\w+,?\s+)?)put\s+(?!down\b)(\S.*?)\s+down(?=\s+(?:for|by|on)\s|\W*$)/i, '$1put down $2'],
];

const WRITE = /^((?:(?:please|can you|could you)\s+)*)write\s+(.+)$/is;
/** Things to write, which are verbs too. */
const DOCUMENT =
  /^(?:report|review|book|test|text|note|plan|draft|answer|email|mail|message|reply|post|copy|list|thank|letter|study|address|address|code|check|chapter|post)\b/i;

/** Brings a message into the order "command, title, time", without remarks. Words of titles stay as they are. */
export function toPlainOrder(text: string): string {
  const bare = dropTail(dropSentence(dropPreamble(rewrite(text)).replace(COLON_REMARK, '').replace(DOTS_REMARK, '')));
  const late = LATE.exec(bare);
  if (!late) return bare;
  const [, words = '', when = ''] = late;
  const title = words
    .replace(PLAN, '')
    .replace(/^add\s+/i, '')
    .replace(/^an?\s+(?=\S)/i, '')
    .trim();
  // "delete milk, add it again" are two orders.
  return title === '' || /\?$/.test(title) || isOrder(title) ? bare : `add ${title}${when === '' ? '' : ` ${when}`}`;
}

/** "add a plant. No, wait, a book": the last thing counts. */
const CHANGED_MIND =
  /^((?:(?:please|and|also|oh)[\s,]+)*(?:add|note|put|remind me|jot down)\s.*?)((?:an?|the|some|my)\s+(?:(?!\b(?:an?|the|some|my)\s)[^.,;])+?)[.,;]?\s+(?:no,?\s+wait|wait,?\s+no|no,?\s+sorry|sorry,?\s+i mean|no,?\s+i mean|i mean|or rather)[,.]?\s+((?:an?|the|some|my)\s+[^.,;]{2,30})[\s.!]*$/i;

function rewrite(message: string): string {
  const text = message.replace(CHANGED_MIND, '$1$3');
  const rewritten = REWRITES.reduce((current, [from, to]) => current.replace(from, to), text);
  const errandBehind = HEADING.exec(rewritten)?.[1] ?? '';
  const isHeaded =
    readTaskList(text).length === 0 &&
    errandBehind !== '' &&
    !/[;\n]/.test(errandBehind) &&
    !/^(?:add|put|remind|new)\b/i.test(errandBehind);
  const plain = isHeaded ? `add ${errandBehind}` : rewritten;
  const [, lead = '', errand = ''] = WRITE.exec(plain) ?? [];
  return startsWithVerb(errand) && !DOCUMENT.test(errand) ? `${lead}add ${errand}` : plain;
}

function isOrder(words: string): boolean {
  const frame = readFrame(words);
  if (frame === undefined || frame.action === 'create') return false;
  return frame.sure || !startsWithVerb(words);
}

/** "remind me to call Ann? My memory is terrible". */
function dropSentence(text: string): string {
  const [, head = '', tail = ''] = NEXT_SENTENCE.exec(text) ?? [];
  const isRemark = head !== '' && REMARK_SENTENCE.test(tail) && !readFrame(tail)?.sure && readFrame(head) !== undefined;
  return isRemark && !/\b(?:Dr|Mr|Mrs|Ms|St|No)$/.test(head) ? head : text;
}

function dropTail(text: string): string {
  const head = text.replace(TAIL_REMARK, '');
  const tail = text.slice(head.length);
  const isDropped =
    head !== text &&
    !isOpenTime(tail) &&
    readFrame(head) !== undefined &&
    readFrame(tail.replace(/^[\s,]+/, ''))?.sure !== true &&
    !/^,\s+(?:i|we)(?:'ve)? (?:also |really |still )*(?:need|have to|must|should|want)\b/i.test(tail);
  const cut = (isDropped ? head : text).replace(GUESS_TAIL, '');
  const timeless = cut.replace(VAGUE_TIME, '');
  return timeless !== cut && readFrame(timeless)?.action === 'create' ? timeless : cut;
}

/** A day in the remark is not lost: ", it's for Friday". */
function isOpenTime(tail: string): boolean {
  return isTimeLike(tail) && !/^,\s+(?:last chance|year[- ]end|before|no|whenever)\b/i.test(tail);
}
