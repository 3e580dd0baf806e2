const SYMBOLS: readonly [RegExp, string][] = [
  [/\d\s*[*×x]\s*\d|\btimes\b/, 'multiply product'],
  [/\d\s*\+\s*\d|\bplus\b/, 'add sum'],
  [/\d\s+-\s+\d|\bminus\b/, 'subtract'],
  [/\d\s*[/÷]\s*\d|divided by/, 'divide'],
  [/\d\s*(?:%|percent)\s+of\b/, 'percentage'],
];
/** Idioms, each with words that it may stand for. */
const PHRASES: readonly [RegExp, string][] = [
  [/\bput on\b(?=\s+\w)|\bput \p{Lu}[\p{L} ]{1,30} on\b/u, 'play switch'],
  [/\bmax(?:imum)? (?:of )?[$€£]?\d/i, 'limit set budget'],
  [/\bblock\b.{3,60}\b(?:from \d|at \d|\d ?[ap]m)\b/i, 'create event schedule reserve'],
  [/\b(?:get|fetch|bring|grab) (?:me|us) (?:an?|some|one|two|three|\d)\b/i, 'order'],
  [/\bget rid of\b|\btake\b.{1,40}\bout\b|\bthrow\b.{1,40}\b(?:out|away)\b/i, 'remove'],
  [/\bsign\b.{1,20}\bup\b/i, 'register'],
  [/\bcall(?:ed)? off\b/i, 'cancel'],
  [/\bput(?:ting)? off\b|\bpush back\b/i, 'postpone'],
  [/\bhow (?:warm|cold|hot)\b/i, 'temperature'],
  [/\b(?:get|come|go|way)\b.{0,20}\bfrom\b.{2,40}\bto\b/i, 'route'],
  [/\bhow far\b/i, 'distance'],
  [/\bwhere(?:'s| is| are)\b/i, 'location locate'],
  [/\b(?:take|bring|drive|get) me (?:to|home)\b/i, 'navigate route'],
  [/\bhow long\b/i, 'duration'],
  [/\bhow (?:much|expensive) (?:is|are|does|do) (?:the|an?|my|this)\b/i, 'price'],
  [/\bran out of\b|\brunning low on\b|\bout of\b/i, 'order buy shopping add'],
  [/\b(?:back|roll)\b.{1,40}\b(?:out|back)\b|\brollback\b/i, 'revert undo'],
  [/\bshut\b.{1,40}\bup\b/i, 'silence mute'],
  [/\b(?:send|take|bring|give)\b.{1,40}\bback\b/i, 'return'],
  [/\b(?:put|pencil) me down\b|\bcount me in\b/i, 'register book'],
  [/\b(?:drop|pull|take) me (?:from|out|off)\b|\bcan(?:'|no)?t make it\b/i, 'cancel'],
  [/\bno more than\b.{1,20}\b(?:a|per|each) (?:day|week|month)\b|\blet me spend\b|\bcap\b/i, 'limit set'],
  [/\blet\b.{1,40}\b(?:see|view|look at|read|edit|comment|open)\b/i, 'share access give'],
  [/\blet\b.{1,40}\bknow\b/i, 'tell message send notify'],
  [/\b(?:spoke|talked|chatted) (?:to|with)\b|\b(?:voicemail|no answer)\b|\bcalled\b.{1,30}\babout\b/i, 'call log'],
  [/\b(?:somewhere|place|bed) (?:to (?:stay|sleep)|for the night)\b/i, 'hotel accommodation'],
  [/\b(?:somewhere|place) to eat\b/i, 'restaurant'],
  [/\bneeds? to (?:go|be moved|move|shift) to\b|\bmake it\b.{1,20}\binstead\b/i, 'move reschedule'],
  [/\b(?:put|jot|note|write)\b.{1,40}\bdown\b|\bput down\b/i, 'log record note write'],
  [/\b(?:turn|switch|shut)\b.{1,30}\boff\b/i, 'stop'],
  [/\bhand\b.{1,30}\bover\b|\bpass\b.{1,30}\b(?:on|to)\b/i, 'assign give'],
  [/\b(?:i|we)(?:'| wi)?ll (?:take|have)\b/i, 'order buy add'],
  [/\bwhereabouts\b/i, 'location locate'],
  [/^\s*no more\b|\bstop (?:sending|emailing)\b/i, 'stop unsubscribe cancel'],
  [/\bbook\b.{1,12}\b(?:minutes|mins|hours|h)\b.{0,6}\b(?:on|to)\b/i, 'log record'],
  [/\bfreezing\b|\bchilly\b|\btoo (?:cold|hot|warm)\b/i, 'temperature'],
  [/\bhow much\b.{0,12}\b(?:do i have|have i got|is (?:left |there )?(?:in|on)|money)\b/i, 'balance'],
  [/\bweigh(?:s|ed|ing)?\b/i, 'weight'],
  [/\b(?:get|have)\b.{2,30}\b(?:looked at|seen to|checked|serviced|fixed)\b/i, 'appointment book'],
  [/\b(?:keep|hang on to|hold on to)\b.{2,40}\b(?:longer|for another|more)\b/i, 'extend renew'],
  [/\b(?:up to date|so far|status|how far along)\b/i, 'status'],
  [/\b(?:take|bring|turn|knock|wind)\b.{1,40}\bdown to\b/i, 'set lower dim reduce'],
  [/\b(?:take|bring|turn|crank|bump|push)\b.{1,40}\bup to\b/i, 'set raise increase'],
  [/\b(?:go|switch|get|put|move) (?:it )?back to\b/i, 'rollback revert restore return'],
  [/\b(?:look|go|read|check) (?:it )?over\b|\b(?:second|fresh) pair of eyes\b/i, 'review reviewer'],
  [/\b(?:money|cash) back\b/i, 'return refund'],
  [
    /\b(?:take|knock|get)\b.{1,20}\b(?:something|some|a bit|\d+ ?%?) off\b|\b(?:money|percent|%) off\b/i,
    'discount coupon apply',
  ],
  [/\b(?:get|squeeze|fit|sign|put) (?:me|us|him|her) in(?:to)?\b/i, 'book reserve register'],
  [/\bkeep\b.{1,30}\blonger\b/i, 'renew extend'],
  [/\b(?:drop|shoot|ping) (?:him|her|them|\w+) (?:a )?(?:line|text|message|note)\b/i, 'send message'],
  [
    /\bhow (?:do (?:you|i|we)|would (?:you|i|one)) say\b|\bwhat'?s .{1,30} in (?:french|german|spanish|italian|polish|dutch|portuguese)\b/i,
    'translate',
  ],
];
/** Situations that suggest a remedy. They help to find the tool; they never stand for an order. */
const SITUATIONS: readonly [RegExp, string][] = [
  [/\b(?:freezing|shivering|boiling|sweltering|roasting|stuffy)\b/i, 'temperature heating thermostat'],
  [/\b(?:pitch[- ]black|too dark|can'?t see (?:a thing|anything))\b/i, 'light lamp'],
  [/\b(?:burglars?|thieves|intruders?)\b|\bbreak-?ins?\b/i, 'alarm arm security'],
  [/\b(?:hangs|hung|stuck|frozen|unresponsive|not responding|acting up|playing up)\b/i, 'restart'],
  [/\b(?:nearly|almost|totally|completely|running) full\b|\bno (?:more )?space\b/i, 'disk size storage resize'],
  [/\b(?:in pieces|to bits|came broken|arrived broken|doesn'?t (?:fit|work)|wrong size)\b/i, 'return damaged'],
  [/\bcomes? to in\b|\b(?:pounds|euros|dollars|francs|yen) in [a-z]+\b|\bworth in\b/i, 'convert currency'],
  [/\bwhat (?:can|could|shall|should) (?:i|we) (?:cook|make|do) (?:with|from)?\b/i, 'recipe find'],
  [/\bhow (?:fattening|healthy|unhealthy|many calories)\b/i, 'nutrition calories'],
  [/\b\d{2,3} over \d{2,3}\b/i, 'blood pressure'],
  [
    /\b(?:nearly|almost|just) (?:out of|finished|used up)\b|\blast (?:few )?(?:pills?|tablets?|doses?|one left)\b/i,
    'refill order request',
  ],
  [/\b(?:somewhere|place|room|space) to (?:sit|meet|talk|work)\b/i, 'room meeting desk book reserve'],
  [/\b(?:\w+ of us|table for)\b/i, 'people table room reserve book'],
  [/\bon my own card\b|\bout of my own pocket\b|\bpaid (?:for )?it myself\b/i, 'expense claim submit'],
  [/\bgot (?:any(?:thing)?|something) (?:by|on|about)\b|\banything (?:by|on|about)\b/i, 'search find'],
  [
    /\b(?:is|has) (?:it|my \w+) (?:on its way|here yet|arrived|coming)\b|\bwhere(?:'s| is| has)\b.{1,30}\b(?:got to|gone)\b/i,
    'track',
  ],
  [/\bon time\b|\b(?:landed|delayed|late)\b/i, 'status'],
  [/\b(?:off work|days? off|time off|away from)\b/i, 'leave vacation absence request'],
  [
    /\b(?:is|are) (?:coming|dropping|popping) (?:by|in|over|round|to see)\b|\b(?:comes|drops) by\b/i,
    'visitor guest register',
  ],
];
/** Arithmetic is short; in a long text a slash is not a division. */
const MAX_SUM_CHARS = 200;

/** The words that the signs of a sum, the idioms and the situations of a text stand for; one text for each of them. */
export function readIdioms(text: string): string[] {
  return [...readOrders(text), ...wordsFor(SITUATIONS, text)];
}

/** The same without the situations: a situation alone orders nothing. */
export function readOrders(text: string): string[] {
  return wordsFor([...SYMBOLS, ...PHRASES], text);
}

function wordsFor(table: readonly [RegExp, string][], text: string): string[] {
  return text.length > MAX_SUM_CHARS ? [] : table.filter(([sign]) => sign.test(text)).map(([, words]) => words);
}
