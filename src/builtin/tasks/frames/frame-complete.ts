import { cleanReference } from './clean-reference.ts';
import { type FrameReader, ITEM, MY_LIST, namesItem, pattern, type Slots, type TaskFrame } from './frame.ts';
import { readGroup, splitExcept } from './frame-group.ts';

const DONE = String.raw`(?:all\s+)?(?:as\s+)?(?:being\s+)?(?:done|complete|completed|finished|checked|ticked|closed|resolved|accomplished|achieved)(?:\s+(?:now|already|too))?`;
const MARK = pattern(
  String.raw`^(?:mark|set|flag|label|tag|make|count|consider|put|change|update|move|call|show|get)\s+(.*?)\s*(?:\b(?:status\s+)?(?:as|to|to be|into|is)\s+)?\b${DONE}\W*$`,
);
const MARK_FRONT = pattern(
  String.raw`^(?:mark|flag|set)\s+(?:as\s+)?(?:done|complete|completed|finished)\s*(?::|-|,)?\s+(.+)$`,
);
const MARK_OFF = pattern(
  String.raw`^(?:mark|check|tick|cross|scratch|knock)\s+(?:off\s+(.+)|(.+?)\s+off(?:\s+(?:of\s+)?(?:${MY_LIST}))?|(.+?)\s+(?:on|in)\s+${MY_LIST})\W*$`,
);
const CHECK = pattern(String.raw`^(?:tick|check)\s+(.+?)(?:\s+(?:as\s+)?(?:done|complete|completed))?\W*$`);
const FINISH = pattern(
  String.raw`^(?:complete|finish|close(?: out)?|finali[sz]e|wrap up|accomplish|conclude|fulfil?l|resolve)\b\s*(.*)$`,
);
const I_DID = pattern(
  String.raw`^(?:(?:i|we)(?:'ve| have|'m| am| all| just| already| finally| actually| now| also| got| think i)*\s+|(?:just|already|finally)\s+)*(?:finished|completed|done|accomplished|wrapped up|finalized|closed(?: out)?|did|took care of|taken care of|handled|dealt with|gotten through|got through|knocked out|sorted(?: out)?|through with|over with|ticked off|checked off|crossed off)\s*(?:with\s+|up\s+|off\s+)?(.*)$`,
);
const DONE_WITH = pattern(String.raw`^(?:all\s+)?(?:done|finished|completed?)\s*(?:with|:|-|,)\s*(.+)$`);
const PAST = pattern(
  String.raw`^(?:i|we)(?:'ve| have)?(?: just| already| finally| actually| now| also)*\s+((?!need|want|feel|speed|breed|bleed|heed|weed|seed|feed|proceed|succeed|exceed|used|liked|loved|hated|wanted|needed|wished|wondered|asked|tried|changed|decided|noticed|moved|planned|promised|hoped|heard|called you|lost|forgot)(?:\w+ed|bought|paid|made|went|sent|wrote|written|took|taken|gave|met|read|ran|saw|spoke|told|brought|built|sold|fed|swept|drove|ate|hung|left|picked|put|cut|did|got)(?: (?:up|out|off|down|back|in|over))?)\s+(.+)$`,
);
const IS_DONE = pattern(
  String.raw`^(.+?)(?:'s| is| are| was| were| has been| have been| got|:|,|-)?\s+(?:all |now |already |finally |just |officially |been |gotten |totally )*(?:done|complete|completed|finished|taken care of|sorted|handled|wrapped up|checked off|ticked off|accomplished|over with|out of the way|in the bag)(?:\s+(?:now|already|too|today|finally|with|last night|this morning|for real|fr|this time|for good|lol))*\W*$`,
);
const MANAGED = pattern(
  String.raw`^(?:i|we)(?:'ve| have)?(?: just| finally| also)*\s+(?:managed|was able|were able|got around|remembered|made it) to\s+(.+)$`,
);
const BARE_PAST = pattern(
  String.raw`^(?:just |already |finally |also )*((?:bought|paid|sent|wrote|took|gave|met|ran|spoke|told|brought|built|sold|fed|swept|drove|picked|did|got|called|emailed|texted|cleaned|washed|fixed|booked|ordered|returned|submitted|watered|walked|mowed|vacuumed|signed|renewed|scheduled|finished|completed|printed|packed|cooked|mailed|shipped|posted|cancelled|canceled|visited|repaired|replaced|delivered|reviewed|prepared|ironed|made|read|studied|filed|folded|dropped off|turned in|handed in)(?: (?:up|out|off|down|back|in|over))?)\s+(.+)$`,
);
const PASSIVE = pattern(
  String.raw`^(.+?)\s+(?:has|have)\s+(?:just |now |already |finally )*been\s+(?:\w+ed|bought|paid|sent|written|taken|made|done|fed|swept|cut|sold|built|read)\W*$`,
);
const GOT_DONE = pattern(
  String.raw`^(?:i|we)(?:'ve| have)?(?: just| finally| already)*\s+(?:got|gotten|have|had)\s+(.+?)\s+(?:done|finished|completed|sorted|out of the way|over with|taken care of)\W*$`,
);
const NOT_DONE =
  /\b(?:not|n't|never|isn't|aren't|haven't|hasn't|yet to|when|if|until|once|before|after|who|why|how|what|which|should|could|would|don't|almost|half|nearly)\b/i;
const NO_PAST_OBJECT = /^(?:it|that|this|here|there|home|well|a lot|nothing|you|to|for|about|in|at|of|by|from|with)\b/i;
const CREATED =
  /^(?:added|created|asked|changed|deleted|removed|updated|renamed|listed|cancell?ed|mentioned|needed|meant|planned|started|scheduled|missed|moved|reminded|lied|died|used)\b/i;

const EVERYTHING = pattern(
  String.raw`^(?:all|everything|every|each)\b(?:\s+(?:of|my|the|them|pending|open|remaining))*(?:\s+(?:${ITEM}|on ${MY_LIST}|things?|of them))?\W*$`,
);

/** "the document I have already sent". */
const OBJECT_FIRST = pattern(
  String.raw`^(?:the|my)\s+(.+?)\s+(?:i|we)(?:'ve| have| already| just)*\s+(?:already\s+)?(?:\w+ed|sent|send|bought|buy|paid|pay|done|made|did|got|written|called|booked|finish)(?:\s+(?:already|now|today|yesterday))*\W*$`,
);

/** "mark milk as done", "I finished the report", "the dentist is done", "check off laundry". */
export const readComplete: FrameReader = (clause) => readAllBut(clause) ?? readOne(clause);

const readOne: FrameReader = (clause) => readMark(clause) ?? readPast(clause) ?? readIsDone(clause);

/** "everything is done except the eggs". */
function readAllBut(clause: string): TaskFrame | undefined {
  const split = splitExcept(clause);
  const frame = split && readOne(split.rest);
  return frame?.slots.filter === undefined
    ? undefined
    : { ...frame, sure: true, slots: { ...frame.slots, except: String(split?.except) } };
}

function readMark(clause: string): TaskFrame | undefined {
  const mark = MARK_FRONT.exec(clause) ?? MARK.exec(clause);
  if (mark) return complete(String(mark[1]) || (/\ball\b/i.test(clause) ? 'all' : ''), true);
  const off = MARK_OFF.exec(clause);
  if (off) return complete(off[1] ?? off[2] ?? off[3] ?? '', true);
  const check = CHECK.exec(clause);
  if (check && /^tick\b|\b(?:task|todo|item|done|complete)\b/i.test(clause)) return complete(String(check[1]), true);
  const finish = FINISH.exec(clause);
  return finish ? complete(String(finish[1]), namesItem(clause)) : undefined;
}

function readPast(clause: string): TaskFrame | undefined {
  if (NOT_DONE.test(clause) || /\b(?:tomorrow|tonight|next \w+|later)\W*$/i.test(clause)) return undefined;
  const done = DONE_WITH.exec(clause) ?? GOT_DONE.exec(clause) ?? MANAGED.exec(clause);
  if (done) return complete(String(done[1]), true);
  const did = I_DID.exec(clause);
  if (did) return complete(String(did[1]), /\b(?:finish|complet|done|took care|taken care|wrapped)/i.test(clause));
  const first = OBJECT_FIRST.exec(clause);
  if (first) return complete(String(first[1]), false);
  const past = PAST.exec(clause) ?? BARE_PAST.exec(clause);
  if (!past || NO_PAST_OBJECT.test(String(past[2])) || CREATED.test(String(past[1]))) return undefined;
  return complete(`${past[1]} ${past[2]}`, false);
}

function readIsDone(clause: string): TaskFrame | undefined {
  if (NOT_DONE.test(clause)) return undefined;
  const passive = PASSIVE.exec(clause);
  if (passive) return complete(String(passive[1]), false);
  const done = IS_DONE.exec(clause);
  if (!done || /^(?:i|we|you)(?:'m| am)?$/i.test(String(done[1]))) return done ? complete('', true) : undefined;
  return complete(String(done[1]), true);
}

/** When or how it was done is no part of the task. */
const MANNER =
  /(?:,?\s+(?:finally|already|just now|at (?:long )?last|for once|today|this morning|this afternoon|this evening|last night|yesterday|earlier|lol|fr|yay|thank (?:god|goodness)|as well|too))+[\s.!]*$/i;

function complete(words: string, sure: boolean): TaskFrame {
  const said = completeSlots(words);
  const slots = said.ref === undefined ? said : completeSlots(words.replace(MANNER, '') || words);
  if (slots.ref === undefined && slots.filter === undefined) return { action: 'complete', sure, slots, missing: 'ref' };
  return { action: 'complete', sure: sure || slots.except !== undefined || slots.when !== undefined, slots };
}

function completeSlots(words: string): Slots {
  const group = readGroup(words.trim(), readAll);
  if (group) return group;
  const ref = cleanReference(words);
  return ref === '' ? {} : { ref };
}

function readAll(words: string): Slots | undefined {
  return EVERYTHING.test(words) ? { filter: 'all' } : undefined;
}
