import { isActionVerb } from '../../language/action-verbs.ts';
import { stripPoliteness } from '../../language/clean-text.ts';
import { isSameBeginning, stem } from '../../language/words.ts';
import { type ActionKind, actionOf, actionsOf } from './actions.ts';
import { sharesConcept } from './concepts.ts';
import { readMessageSignals } from './message-signals.ts';
import { readOrders } from './tables.ts';
import { isContentWord, splitWords, type ToolDocument } from './tool-document.ts';

export type ToolEffect = 'read' | 'write' | 'remove';

/** Beginnings of descriptions that name the answer: "The price of an article", "Current weather in a city". */
const TELLS =
  /^(?:the|an?|current|latest|next|upcoming|nearest|recent|all|today|weather|forecast|information|details?|list|status|price|prices|air|daily|hourly|number|how|what|which|where)\b/;
/** "Lyrics of a song", "Energy used in a period". */
const NOUN_PHRASE = /^(?:\w+ ){1,3}(?:of|for|in|on|between|per|from|used|expected|near|that|which|who|with)\b/;
/** Descriptions that begin with a verb of reading: "Show where an order is". Sums of numbers change nothing. */
const READS =
  /^(?:shows?|tells? (?:you|me|us|how|what|which|when|where|whether|if|the (?:\w+ ){1,3}(?:of|for|in|at|between))|lists?|finds?|search(?:es)?|look up|looks up|retrieves?|fetch(?:es)?|gets? (?!rid)|returns?|displays?|read(?:s)? (?:out|the|an?)|works? out|comput(?:e|es)|calculat(?:e|es)|counts?|converts?|translates?|compares?)\b(?! (?:and|or)\b)|^(?:adds?|subtracts?|multipl(?:y|ies)|divides?|sums?) (?:\w+ )?(?:numbers?|integers?|values?)\b/;

/** The effect of a tool, judged by its description and the first verb of its name. Unknown verbs may write. */
export function effectOf({ name, description }: ToolDocument): ToolEffect {
  const beginning = description.slice(0, 6).join(' ');
  // Somebody who checks in or out looks nothing up.
  if (/\bcheck (?:in|out)\b/.test(beginning)) return 'write';
  if (READS.test(beginning)) return 'read';
  const verb = name.find((word) => actionsOf([word]).size > 0);
  const kinds =
    verb !== undefined
      ? actionsOf([verb])
      : actionsOf(description.slice(0, 3).flatMap((word) => [word, word.replace(/s$/, '')]));
  if (kinds.has('remove')) return 'remove';
  // "Change the number of replicas" describes no sum, whatever the name says.
  const described = actionsOf(description.slice(0, 1).flatMap((word) => [word, word.replace(/s$/, '')]));
  if (
    (kinds.has('calculate') || kinds.has('read')) &&
    ['change', 'make', 'send', 'buy'].some((kind) => described.has(kind as ActionKind))
  )
    return 'write';
  const isVerb = (word = '') => [word, stem(word), `${stem(word)}e`].some(isActionVerb);
  const isNoun = NOUN_PHRASE.test(beginning) && !isVerb(name[0]) && !isVerb(description[0]);
  if (kinds.size === 0) return TELLS.test(beginning) || isNoun ? 'read' : 'write';
  // "Tell the school that a pupil is absent" reads nothing.
  if (verb === undefined && description[0] === 'tell') return 'write';
  return kinds.has('read') || kinds.has('calculate') ? 'read' : 'write';
}

/** True if the message has a verb of the tool's name or description, or one that does the same. */
export function usesVerbOf(document: ToolDocument, text: string): boolean {
  const { name, description } = document;
  const verbs = verbsOf(document);
  const starts = clauseStarts(text);
  const first = [...beginnings(text), ...readOrders(text).flatMap((idiom) => idiom.split(' '))];
  const said = new Set(first.map(stem));
  if (verbs.some((verb) => said.has(stem(verb)) || first.some((word) => isSameBeginning(word, verb)))) return true;
  if (actsAlike(document, verbs, text)) return true;
  if (verbs.some((verb) => starts.some((word) => sharesConcept(verb, word)))) return true;
  // "freeze my membership": the first word of a name is its verb, known or not.
  if (name.length > 1 && starts.some((word) => stem(word) === stem(name[0] ?? ''))) return true;
  // "timer 9 minutes": a thing without any verb asks for it, but for nothing that ends it.
  const own = [...name, ...description.slice(0, VERB_REACH)].filter(isContentWord).map(stem);
  const isNamed =
    own.some((word) => said.has(word)) || name.some((word) => first.some((other) => sharesConcept(word, other)));
  return isNamed && verbs.every((verb) => PLAIN_VERBS.has(verb));
}

/** True if a verb of the message is of the kind of the tool's: what costs or cannot be taken back needs a closer one. */
function actsAlike(document: ToolDocument, [verb = '']: readonly string[], text: string): boolean {
  // The thing of a tool is no verb: "translate the note" appends nothing to it.
  const near = readMessageSignals(text)
    .words.slice(0, BEGINNING)
    .filter((word) => word === verb || !document.name.includes(word));
  const kindsOf = (words: readonly string[]) =>
    isGrave(document) ? new Set(words.flatMap((word) => actionOf(word) ?? [])) : actionsOf(words);
  const acts = kindsOf(near);
  return [...kindsOf([verb])].some((kind) => acts.has(kind));
}

/** True for a tool that its thing alone may ask for: "massage tomorrow" books, but "two tickets" closes none. */
export function isGiving(document: ToolDocument): boolean {
  const verbs = verbsOf(document);
  return verbs.length > 0 && verbs.every((verb) => PLAIN_VERBS.has(verb) || GIVING.has(verb));
}

/** True for a tool that spends, sends, gives access or ends something: it is never run on a guess. */
export function isGrave(document: ToolDocument): boolean {
  const { name, description } = document;
  return effectOf(document) === 'remove' || [...name, ...description.slice(0, 1)].some((word) => GRAVE.has(word));
}

const GRAVE = new Set(
  'pay send transfer wire buy order purchase email message text call post publish share invite refund donate sell tweet forward submit unlock disarm block deploy release rollback restore reset rotate close cancel kill stop shutdown terminate grant approve merge format'.split(
    ' ',
  ),
);
const GIVING = new Set('print generate enter call deliver serve rent hire'.split(' '));
const VERB_REACH = 8;
const BEGINNING = 14;
const CLAUSE_REACH = 3;
const CLAUSE = /[,;.!?]\s+|\s+(?:and|but|so|then)\s+/;
/** Verbs that the name of their thing implies. */
const PLAIN_VERBS = new Set(
  'set add create make put book order buy start play reserve schedule log record request submit apply renew new get show switch turn change write open save move adjust'.split(
    ' ',
  ),
);

/** True for a tool that records statements. */
export function isRecording({ name, description }: ToolDocument): boolean {
  return [name[0], description[0]].some((verb) => verb !== undefined && RECORDS.has(verb.replace(/s$/, '')));
}

/** Verbs of tools that record statements: "I swam for an hour", "took 400 mg". */
const RECORDS = new Set('log record track note report register add enter mark'.split(' '));
/** The first words of the message and of each of its clauses. */
function beginnings(text: string): string[] {
  const { words } = readMessageSignals(text);
  const clauses = text.split(CLAUSE).slice(1);
  return [...words.slice(0, VERB_REACH), ...clauses.flatMap((clause) => splitWords(clause).slice(0, CLAUSE_REACH))];
}

/** True if the message only names what is wanted: "massage for room 214 tomorrow", "I'd like 3 copies". */
export function isFragment(text: string): boolean {
  const plain = stripPoliteness(text).replace(WANTED, '');
  return plain.split(CLAUSE).every((clause) => {
    const [first = ''] = splitWords(clause);
    return (
      !/^(?:i|we|he|she|it|they|you|there|this|that|if|not|no|never|nobody)$/.test(first) &&
      (!isActionVerb(first) || NOUN_TOO.has(first)) &&
      actionsOf([first]).size === 0
    );
  });
}

const WISH =
  /^(?:sorry,? )?(?:i|we)(?:'d| would|'ll| will)? (?:want|need|like|have|wish|love|got|hope)? ?(?:to )?(?=[a-z])/i;
const WANTED =
  /^(?:(?:i|we)(?:'d| would)? (?:want|need|like|love)|let's do|lets do|another|want|need)\s+(?=(?:an?|the|my|our|some|\d|two|three|four|five|six)\b)/i;
/** Verbs that are as often things. */
const NOUN_TOO = new Set(
  'book light water present test plant top match lift pitch dress drink coach address'.split(' '),
);

/** The first word of each clause, where a command has its verb. */
function clauseStarts(text: string): string[] {
  return stripPoliteness(text)
    .split(CLAUSE)
    .flatMap((clause) => splitWords(stripPoliteness(clause).replace(WISH, '')).slice(0, 1));
}

function verbsOf({ name, description }: ToolDocument): string[] {
  const named = name.filter((word) => actionsOf([word]).size > 0);
  return named.length > 0 ? named : description.slice(0, 2).filter((word) => actionsOf([word]).size > 0);
}

/** True if the message asks to remove something; removing tools run only then. */
export function asksToRemove(text: string): boolean {
  const near = readMessageSignals(text).words.slice(0, BEGINNING);
  const words = [...near.filter((word) => word !== 'take'), ...readOrders(text).flatMap((idiom) => idiom.split(' '))];
  return actionsOf(words).has('remove') || /\b(?:get rid|throw away|wipe|purge|scrap|discard)\b/i.test(text);
}

/** Verbs that end a run as well as they switch off a lamp. */
export function asksToEnd(text: string): boolean {
  return /\b(?:kill|abort|terminate|stop)\b/i.test(text);
}
