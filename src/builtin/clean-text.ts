const LEADING = [
  /^(?:hey|hi|hello|yo|okay|ok|so|well|alright|um+|uh+|oh|hmm+|actually|also|then|now|just|please|pls|plz|kindly|quickly|great|thanks|thank you|sorry|wait|no wait|and|but|yes|yeah|yep|cool|nice|good morning|good evening|siri|alexa|google|assistant|computer|buddy|dude|man)\b(?!\s*(?:(?:['’])|(?:it|that|this|list)$))[\s,.!:;-]*(?=\S)/i,
  /^(?:(?:can|could|would|will|won't|can't) (?:you|u|we|i)|would you mind|do you mind|is it possible to|i(?:'d| would) (?:like|love)(?: for)? (?:you )?to|i need you to|i want you to|i wish to|you (?:can|should|may|need to|have to)|help me(?: to)?|let's|lets|let us|go ahead and|do me a favou?r and|be so kind (?:as )?to|i(?:'m| am) (?:trying|going|looking) to|if you (?:can|could|don't mind)|feel free to|try to|time to)\b(?!$)[\s,]*(?=\S)/i,
];
/** "I want to" before a command belongs to it; "I need to" only where a task is named, because it mostly begins a title. */
const WANT =
  /^i(?:'d| would)? (?:(?:want|like|wish|love) to|wanna)\s+(?=(?:add|create|delete|remove|erase|rename|change|edit|modify|update|mark|complete|finish|reschedule|postpone|move|cancel|see|know|view|check|review|show|list|hear|put|make|set|clear|get rid|start|read|look)\b)/i;
const NEED_TASK =
  /^(?:i|we) (?:need|have|must|would like|'d like) to\s+(?=(?:add|create|delete|remove|erase|rename|change|edit|modify|update|mark|complete|reschedule|move|cancel|see|view|check|clear)\b(?:.*\b(?:tasks?|to-?dos?|(?:my|the|to-?do) list|reminders?)\b|\s+(?:something|one|an item)\W*$))/i;
const TRAILING =
  /[\s,;.!?-]*\b(?:please|pls|plz|thanks|thank you|thx|ty|cheers|for me|right now|asap now|if you can|if possible|will you|would you|could you|ok|okay)[\s.!?]*$/i;
const TIME_TYPOS: Readonly<Record<string, string>> = {
  tmrw: 'tomorrow',
  tmr: 'tomorrow',
  tomorow: 'tomorrow',
  tommorow: 'tomorrow',
  tommorrow: 'tomorrow',
};
const COMMAND_WORDS = 4;
/** Mended only among the first words, where a command stands; a title stays as it was typed. */
const COMMAND_TYPOS: Readonly<Record<string, string>> = {
  remnd: 'remind',
  remid: 'remind',
  remimd: 'remind',
  remeber: 'remember',
  rember: 'remember',
  delte: 'delete',
  deleet: 'delete',
  dlete: 'delete',
  remvoe: 'remove',
  compelte: 'complete',
  complet: 'complete',
  taks: 'task',
  tsk: 'task',
  tasl: 'task',
  finsihed: 'finished',
  finshed: 'finished',
  shwo: 'show',
  udpate: 'update',
  upate: 'update',
  chnage: 'change',
  wanna: 'want to',
  gotta: 'have to',
  gonna: 'going to',
  dont: "don't",
  ive: "I've",
  im: "I'm",
  whats: "what's",
  thats: "that's",
  lets: "let's",
};

/** A message with plain quotes and spaces, common typing slips mended outside of quotes, and letter case kept. */
export function cleanText(text: string): string {
  const plain = text
    .normalize('NFC')
    .replace(/[‘’‚‛`´]/g, "'")
    .replace(/[“”„‟«»]/g, '"')
    .replace(/[–—]/g, '-')
    .replace(/\s*(?:→|⇒|➔|➜)\s*/g, ' -> ')
    .replace(/\s+/g, ' ')
    .trim();
  let words = 0;
  return plain.replace(/"[^"]*"|(?<=^|\s)'[^']*'(?=$|\W)|[A-Za-z]+(?!['\w])/g, (word) => {
    words += 1;
    return mend(word, words <= COMMAND_WORDS ? COMMAND_TYPOS : {});
  });
}

function mend(word: string, typos: Readonly<Record<string, string>>): string {
  const fixed = TIME_TYPOS[word.toLowerCase()] ?? typos[word.toLowerCase()];
  if (fixed === undefined) return word;
  return /^[A-Z]/.test(word) ? fixed.charAt(0).toUpperCase() + fixed.slice(1) : fixed;
}

/** The command itself, without "hey, could you please … for me, thanks!". */
export function stripPoliteness(text: string): string {
  let current = text.trim();
  for (;;) {
    let next = current;
    for (const pattern of [...LEADING, WANT, NEED_TASK]) next = next.replace(pattern, '');
    if (!/["']\s*$/.test(next)) next = next.replace(TRAILING, '');
    next = next.trim();
    if (next === current || next === '') return current;
    current = next;
  }
}

/** Without the quotes around the whole and without closing punctuation. */
export function unquote(text: string): string {
  const trimmed = text.trim();
  const quoted = /^(["'])(.*)\1[\s.!?,;]*$/s.exec(trimmed);
  if (quoted && !quoted[2]?.includes(String(quoted[1]))) return (quoted[2] ?? '').trim();
  return trimmed
    .replace(/^[\s:,;-]+/, '')
    .replace(/[\s.,;:!?-]+$/, '')
    .trim();
}
