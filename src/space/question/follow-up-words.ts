/** Words before a message that continues the last one. */
const AND = String.raw`(?:(?:and|but|ok|okay|now|then|so|also|no|nope|sorry|actually|well|right|yes|great|thanks|alright|hm+)[\s,.!:]+)*`;
const IT = '(?:it|that|this|them|those|these)';
/** Words that only say that a message continues the last one. */
const LEAD = new RegExp(
  String.raw`^${AND}(?:what about|how about|how does (?:that|it|this) look(?: like)?(?: for| in)?|how (?:was|is|were|are) ${IT}(?= in| for)|what if only|(?:the )?same(?: thing| question| figures?)?(?: but)?(?: only| now)?(?: for| in| with)?|only(?: for| in| with)?|just(?: for| in| the)?|now(?: for| in)|(?:break|split|divide) (?:${IT} )?(?:down |up )?(?=by|per|into)|(?:show|give|make|list|see) (?:me )?${IT}(?= by| per| for| in| as| with| month| each| over|$)|(?:restrict|limit|narrow|reduce|filter) (?:${IT} )?(?:down )?to|(?:please )?(?:add|include)(?: in)?|(?:compare(?:d)?(?: (?:it|that|this|them))? (?:with|to)|vs\.?|versus|against)(?= )|i mean(?:t)?|how many of (?:those|them|these)(?: are)?|which (?:of (?:those|them|these)|one)(?: is| has)?|and)\b`,
  'i',
);
/** A message that begins with a condition, a group or an end has its subject from the last one. */
const FRAGMENT = new RegExp(
  String.raw`^${AND}(?:how many (?:are|were)|by|per|for|in|at|on|with|without|not|excluding|exclude|except|since|from|between|as|over|under|above|below|more than|less than|fewer than|at least|at most|up to|until|before|after|during|last|this|each|the (?:other|top|bottom|best|worst|lowest|highest|weakest|strongest|\w+ (?:best|worst|lowest|highest))|top|bottom|best|worst|lowest|highest|weakest|strongest)\b`,
  'i',
);
const ASKS =
  /^(?:what|which|who|whose|when|where|why|how|is|are|was|were|do|does|did|has|have|can|could|show|list|give|tell|name|find|compare|rank|count|calculate)\b/i;
/** Words that point at the last answer, besides pronouns. */
const POINTS =
  /(?<!\b(?:is|are|was|were|be|been|out|over) )\bthere\b(?! (?:is|are|was|were|any))|\b(?:in|for|during|over|of|at) (?:that|the same|those|these) (?:month|week|quarter|year|day|period|time|region|category|brand|store|place|channel)s?\b/i;
const ADDS = new RegExp(
  String.raw`\b(?:too|as well|also)\b|^${AND}(?:please )?(?:add|include|plus|compared?(?: (?:it|that|this|them))? (?:with|to)|vs|versus|against)\b`,
  'i',
);
const TAIL = /(?:\b(?:please|only|instead(?: of .*)?|too|as well|then|alone|one|ones|again|there)\b[?.!,\s]*)+$/i;
const POLITE = /^(?:show me|show it|give me)\s+(?=the (?:lowest|highest|bottom|top))/i;
const GREETING = /^(?:(?:ok|okay|now|then|so|well|right|great|thanks|thank you|alright|hi|hello|hey)[\s,.!:]+)+/i;
const PREFIX = new RegExp(String.raw`^${AND}`, 'i');

/** The words by which a message says that it continues the last one; undefined if it says nothing of the kind. */
export function followUpLead(text: string): string | undefined {
  return LEAD.exec(text.trim())?.[0];
}

/** True if the message is no sentence of its own, but a condition, a group or an end. */
export function isFragment(text: string): boolean {
  return FRAGMENT.test(text.trim());
}

/** True if the message begins like a question or a request of its own. */
export function isSentence(text: string): boolean {
  return ASKS.test(text.trim().replace(PREFIX, ''));
}

/** The word that points at the last answer: "there", "in that month". */
export function pointsBack(text: string): string | undefined {
  return POINTS.exec(text)?.[0];
}

const THING = /\b(?:that|this|it|its|there|their|them|then)\b(?! (?:is|are|was|were)\b)/i;

/** True if the message points at a thing of the last answer: "that brand", "show it by month", "there". */
export function pointsAtThing(text: string): boolean {
  return THING.test(text);
}

/** True if the message adds to the last figures instead of replacing them. */
export function addsToLast(text: string): boolean {
  return ADDS.test(text.trim());
}

/** The words that the message wants replaced: "tier" of "by region instead of tier". */
export function replacedWords(text: string): string {
  return /\b(?:instead of|rather than|not by)\b(.*)$/i.exec(text)?.[1] ?? '';
}

/** "Ok, now how many …": words before a question of its own. */
export function stripGreeting(text: string): string {
  const rest = text.trim().replace(GREETING, '');
  return ASKS.test(rest) ? rest : text;
}

/** The message without the words that only say that it continues. */
export function stripFollowUp(text: string): string {
  const bare = text.trim().replace(TAIL, '').replace(POLITE, '');
  const rest = bare.replace(LEAD, (lead) => (/ (?:for|in)$/i.test(lead) ? lead.slice(-3) : ' ')).trim();
  return rest.replace(PREFIX, '').replace(POINTS, ' ').trim();
}
