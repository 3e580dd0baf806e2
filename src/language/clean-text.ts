import { mendTypos } from './typos.ts';

/** Requests of polite people, before the verb of the command. */
const COURTESY =
  /^(?:(?:oh|well|so|and|yes|no|now|please|good (?:morning|evening|day))[\s,.!]+)*(?:(?:might|may|could|can) i (?:trouble|ask|bother) you(?: please)? to|(?:i|we) should (?:very much )?(?:like|love|prefer)(?: for)?(?: you)? to|(?:i'd|i would|i should|we'd|we would) be (?:so |very |most |really )*(?:grateful|glad|happy|obliged|thankful|pleased) if you (?:would|could|might)|(?:it would|it'd|would it) be (?:so |very |really )*(?:lovely|nice|great|kind|good|wonderful|possible|helpful|all right|okay|ok)(?: of you)? if you (?:would|could|can|might)|(?:would|might) it be (?:possible|all right|okay|ok)(?: for you)? to|would you (?:be (?:so |very )*(?:kind|good|nice)(?: enough| as)? (?:to|and))|be an? (?:dear|angel|darling|star|sweetheart) and|let us)\b(?!$)[\s,]*(?=\S)/i;
const LEADING = [
  /^(?:hey|hi|hello|yo|okay|ok|so|well|alright|um+|uh+|oh|hmm+|actually|also|then|now|just|please|pls|plz|kindly|quickly|great|thanks|thank you|sorry|wait|no wait|and|but|yes|yeah|yep|cool|nice|good morning|good evening|siri|alexa|google|assistant|computer|buddy|dude|man|dear|lol|ugh|on reflection|on second thoughts?|very well|do(?= (?:please|kindly)\b))\b(?!\s*(?:(?:['’])|(?:it|that|this|list)$))[\s,.!:;-]*(?=\S)/i,
  /^(?:(?:can|could|would|will|won't|can't) (?:you|u|we|i)|(?:would|do) you mind(?: terribly| very much| awfully| much)?|is it possible to|i(?:'d| would) (?:like|love)(?: for)? (?:you )?to|i need you to|i want (?:that )?you(?: to)?|i would like (?:that )?you(?: to)?|i wish to|you (?:can|should|may|need to|have to)|help me(?: to)?|let's|lets|let us|go ahead and|do(?= (?:add|delete|remove|mark|move|rename|put|remind)\b)|do me a favou?r and|be so kind (?:as )?(?:to|and)|(?:to)(?= (?:add|delete|remove|rename|change|move|mark|complete|update)\b)|i(?:'m| am) (?:trying|going|looking) to|if you (?:can|could|don't mind)|feel free to|try to|time to)\b(?!$)[\s,]*(?=\S)/i,
];
/**
 * "I want to" before a command is dropped. "I need to" is dropped only before a task word: it mostly begins a title.
 */
const WANT =
  /^i(?:'d| would)? (?:(?:want|like|wish|love) to|wanna)\s+(?=(?:add|create|delete|remove|erase|rename|change|edit|modify|update|mark|complete|finish|reschedule|postpone|move|cancel|see|know|view|check|review|show|list|hear|put|make|set|clear|get rid|start|read|look)\b)/i;
const NEED_TASK =
  /^(?:i|we) (?:need|have|must|would like|'d like) to\s+(?=(?:add|create|delete|remove|erase|rename|change|edit|modify|update|mark|complete|reschedule|move|cancel|see|view|check|clear)\b(?:.*\b(?:tasks?|to-?dos?|(?:my|the|to-?do) list|reminders?)\b|\s+(?:something|one|an item)\W*$))/i;
const TRAILING =
  /[\s,;.!?-]*\b(?:please|pls|plz|thanks|thank you|thx|ty|cheers|for me|right now|asap now|if you can|if possible|will you|would you|could you|ok|okay)[\s.!?]*$/i;
/** Removes the sounds of somebody who thinks aloud ("ER" is a place), and faces of signs. */
export function dropSounds(text: string): string {
  return text
    .replace(/\s+[:;]-?[()DP](?=\s+\S)/g, ',')
    .replace(/\s+[:;]-?[()DP]\s*$/g, '')
    .replace(/(?<=\s)(?:[Uu]m+|[Uu]h+m*|[Ee]rm|er)\b,?(?=\s)/g, '')
    .replace(/ {2,}/g, ' ');
}

/**
 * Normalizes quotes and spaces, corrects common typos outside quotes and shortens a long courtesy to "please". Letter
 * case is kept.
 */
export function cleanText(text: string): string {
  const plain = dropSounds(text)
    .normalize('NFC')
    .replace(/[‘’‚‛`´]/g, "'")
    .replace(/[“”„‟«»]/g, '"')
    .replace(/[–—]/g, '-')
    .replace(/\s*(?:→|⇒|➔|➜)\s*/g, ' -> ')
    .replace(
      /\b(at|by)\s+(?:like|about|around|roughly)\s+(?=\d|noon|one\b|two\b|three\b|four\b|five\b|six\b|seven\b|eight\b|nine\b|ten\b|eleven\b|twelve\b|half\b)/gi,
      '$1 ',
    )
    .replace(/\s+/g, ' ')
    .trim();
  return mendTypos(plain).replace(COURTESY, 'please ');
}

/** A remark with a colon before a command: "my list is growing: add milk". */
const REMARK =
  /^(?!(?:add|new|todo|to-do|task|tasks|delete|remove|mark|remind|note|put|rename|change|update|done|complete|finished)\b)[^:"']{3,40}:\s+(?=(?:add|remind me|delete|remove|mark|move|rename|put|show)\b)/i;
const GERUND =
  /^((?:would|do) you mind(?: terribly| very much| awfully| much)?\s+)(add|mov|delet|remov|mark|renam|chang|putt|show|complet|cancel)ing\b/i;
const BASE: Readonly<Record<string, string>> = {
  mov: 'move',
  delet: 'delete',
  remov: 'remove',
  renam: 'rename',
  chang: 'change',
  putt: 'put',
  complet: 'complete',
};

/** Removes politeness: "hey, could you please … for me, thanks!". */
export function stripPoliteness(text: string): string {
  let current = text
    .trim()
    .replace(GERUND, (_, lead: string, stem: string) => lead + (BASE[stem.toLowerCase()] ?? stem))
    .replace(REMARK, '');
  for (;;) {
    let next = current;
    for (const pattern of [...LEADING, WANT, NEED_TASK]) next = next.replace(pattern, '');
    if (!/["']\s*$/.test(next)) next = next.replace(TRAILING, '');
    next = next.trim();
    if (next === current || next === '') return current;
    current = next;
  }
}

/** Removes quotes around the whole text and closing punctuation. */
export function unquote(text: string): string {
  const trimmed = text.trim();
  const quoted = /^(["'])(.*)\1[\s.!?,;]*$/s.exec(trimmed);
  if (quoted && !quoted[2]?.includes(String(quoted[1]))) return (quoted[2] ?? '').trim();
  return trimmed
    .replace(/^[\s:,;-]+/, '')
    .replace(/[\s.,;:!?-]+$/, '')
    .trim();
}
