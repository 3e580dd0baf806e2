import { isPastForm, stem } from '../../../language/words.ts';
import { isPlace, type Named, namesTasks } from './names-task.ts';
import { bareWords, clause, wordsOf } from './plain-words.ts';
import { isParticle, mayBeDone, movesThing, particleOf, reports, verbOf } from './verb-families.ts';

const DONE = String.raw`(?:done|finished|complete|completed|sorted(?: out)?|dealt with|taken care of|ticked off|checked off|crossed off|handled|wrapped up|out of the way|over(?: and done)? with)`;
const HOW = String.raw`(?:\s+(?:all|both|now|already|finally|just|also|totally|officially|completely|definitely|really|well and truly))*`;
const BE = String.raw`(?:'s|'re|\s+(?:is|are|was|were|got|gotten|(?:has|have)${HOW}\s+been))`;

/** "mark milk as done", "tick off milk", "done with milk". */
const ORDERS = [
  clause(
    String.raw`(?:mark|set|flag|check|tick|cross|put|log|record|register|count)\s+(.+?)\s+(?:off\s+|down\s+)?(?:as\s+|to\s+)?(?:done|complete|completed|finish|finished|sorted)`,
  ),
  clause(String.raw`mark\s+(?:as\s+)?(?:done|complete|completed|finished)\s*[:,-]?\s+(.+)`),
  clause(String.raw`mark\s+(?:the\s+following|these|those)(?:\s+(?:two|three|tasks))?(?:\s+as)?\s+done\s*:\s*(.+)`),
  clause(
    String.raw`(?:these|those|the\s+following)(?:\s+(?:two|three))?(?:\s+(?:tasks|ones))?\s+are\s+(?:all\s+)?done\s*:\s*(.+)`,
  ),
  clause(String.raw`set\s+the\s+status\s+of\s+(.+?)\s+to\s+(?:done|complete|completed|finished)`),
  clause(String.raw`(.+?)\s+i\s+did(?:\s+already)?`),
  clause(String.raw`(?:done|finished)\s+both\s+(.+)`),
  clause(String.raw`(?:tick|check|cross|mark|knock|strike)\s+off\s+(.+)`),
  clause(String.raw`(?:tick|check|cross|mark|knock|strike)\s+(.+?)\s+off(?:\s+(?:of\s+)?(?:the|my|our)\s+list)?`),
  clause(String.raw`(?:tick|complete)\s+(.+)`),
  clause(String.raw`(?:all\s+)?(?:done|finished)\s*(?:with|:|-)\s*(.+)`),
  clause(String.raw`(.+?)\s*[:-]\s*(?:done|finished|complete)`),
];
/** "milk is done", "it's done", "milk and eggs done". */
const STATE = clause(String.raw`(.+?)${BE}?${HOW}\s+${DONE}`);
/** Words that may be said of the thing instead of the errand. */
const OF_THING = /\b(?:finished|completed?|done with)\b/i;
/** A whole sentence about the thing; "report done" is a line of a list. */
const IS_DONE = /(?:'s|'re|\s(?:is|are|was|were|has been|have been))\s+(?:\p{L}+\s+){0,2}(?:done|finished)$/iu;
/** "the rent is paid", "passport renewed": the verb of the title. */
const PASSIVE = clause(String.raw`(.+?)(${BE})?${HOW}\s+(\p{L}+)(?:\s+(up|out|off|down|back|in|over|away|on))?`);
const I = String.raw`(?:(?:i|we)(?:'ve|\s+have)?\s+)`;
/** "finished the report", "I've dealt with the bank". */
const FINISHED = clause(
  String.raw`${I}?(?:(?:just|already|finally|now|also|all)\s+)*(?:finished|completed|done|did|managed(?: to)?|sorted(?: out)?|handled|dealt with|took care of|taken care of|ticked off|crossed off|checked off|wrapped up)(?:\s+with)?\s+(.+)`,
);
/** "I paid the rent", "got the milk", "picked up the parcel". */
const ACTIVE = clause(
  String.raw`(${I})?(?:(?:just|already|finally|now|also)\s+)*(\p{L}+)(?:\s+(up|out|off|down|back|in|over|away|on))?\s+(.+?)(?:\s+(up|out|off|down|back|in|over|away|on))?`,
);
/** "spoke to Tran", for an errand of that kind. */
const SPOKEN = clause(
  String.raw`${I}?(?:(?:just|already|finally|now|also)\s+)*(?:spoke|spoken|talked|had a word)\s+(?:to|with)\s+(.+)`,
);
const SPEAKS = new Set('call ring phone telephone ask speak talk tell'.split(' ').map(stem));
/** "had the flu jab": an appointment that is over. */
const ATTENDED = clause(
  String.raw`${I}?(?:(?:just|already|finally)\s+)*(?:had|been to|went to|attended|did|handed in|submitted|got|bought|picked up)\s+(.+)`,
);
/** "the candles I have bought" */
const OBJECT_FIRST = clause(
  String.raw`(.+?)\s+${I}(?:(?:just|already|finally|now|also)\s+)*(\p{L}+)(?:\s+(up|out|off|down|back|in|over|away|on))?`,
);
/** Verbs that are states too: "the oven is clean". */
const STATES = new Set('clean dry empty tidy clear shut open'.split(' '));
const PRONOUN = /^(?:it|that|this|they|that one|this one)(?:'s|'re|\s)/i;
const ALONE = clause(
  String.raw`(?:all\s+)?(?:done|finished|completed)(?:\s+(?:it|that|this|with (?:it|that)))?|did (?:it|that|both)|${I}(?:did|finished|completed) (?:it|that|both)`,
);

/** True if a clause says plainly that these tasks are done, or to mark them as done. */
export function isPlainCompletion(words: string, named: Named): boolean {
  if (ALONE.test(words)) return true;
  const { tasks } = named;
  const fits = (pattern: RegExp) => namesTasks(pattern.exec(words)?.[1] ?? '', named);
  const isOfThing = tasks.some(
    ({ title }) =>
      !saysTitle(words, title) &&
      !PRONOUN.test(words) &&
      !isPlace(STATE.exec(words)?.[1] ?? title) &&
      ((OF_THING.test(words) && movesThing(title)) ||
        (tasks.length === 1 && !/\sand\s/i.test(words) && IS_DONE.test(words) && mayBeDone(title))),
  );
  if (!isOfThing && (ORDERS.some(fits) || fits(STATE))) return true;
  const finished = FINISHED.exec(words)?.[1] ?? '';
  if (tasks.every(({ title }) => isFinished(finished, title, named))) return true;
  if (fits(ATTENDED) && tasks.every(({ title }) => verbOf(title) === undefined)) return true;
  if (fits(SPOKEN) && tasks.every(({ title }) => SPEAKS.has(verbOf(title) ?? ''))) return true;
  return tasks.every(({ title }) => isPassive(words, title, named) || isActive(words, title, named));
}

/** "complete buy milk": with the verb of its title the errand is meant, and not the thing. */
function saysTitle(words: string, title: string): boolean {
  return verbOf(title) !== undefined && ` ${bareWords(words).join(' ')} `.includes(` ${bareWords(title).join(' ')} `);
}

/** "I finished the milk" does not say that it was bought; "finished buying milk" does. */
function isFinished(name: string, title: string, named: Named): boolean {
  const [, verb = '', thing = ''] = /^(\p{L}+ing)\s+(.+)$/iu.exec(name) ?? [];
  if (verb !== '' && stem(verb.toLowerCase()) === verbOf(title)) return namesTasks(thing, named);
  return !movesThing(title) && isCasedAs(name, title) && namesTasks(name, named);
}

function isPassive(words: string, title: string, named: Named): boolean {
  const [, name = '', be, verb = '', particle] = PASSIVE.exec(words) ?? [];
  if (!fitsParticle(particle, verb, title)) return false;
  if (be !== undefined && namesTasks(name, named)) {
    if (isParticle(verb)) return verb === particleOf(title);
    if (STATES.has(verb)) return reports(verb, title);
  }
  const isReported = isPastForm(verb.toLowerCase()) && reports(verb, title, particle);
  return isReported && (be !== undefined || isThing(verb, title)) && namesTasks(name, named);
}

function isActive(words: string, title: string, named: Named): boolean {
  const [, object = '', did = '', along] = OBJECT_FIRST.exec(words) ?? [];
  if (
    fitsParticle(along, did, title) &&
    isPastForm(did.toLowerCase()) &&
    reports(did, title, along) &&
    namesTasks(object, named)
  )
    return true;
  const [, subject, verb = '', before, name = '', behind] = ACTIVE.exec(words) ?? [];
  if (!fitsParticle(before ?? behind, verb, title)) return false;
  return (
    reports(verb, title, before ?? behind) &&
    (isPastForm(verb.toLowerCase()) || (subject !== undefined && isSameInPast(verb))) &&
    isCasedAs(name, title) &&
    namesTasks(name, named)
  );
}

/** "I paid Bill" is not about the phone bill: a name in the middle of a sentence is one in the title, too. */
function isCasedAs(name: string, title: string): boolean {
  const words = new Set(title.split(/\s+/).slice(1));
  const names = name.match(/\b\p{Lu}\p{Ll}+/gu) ?? [];
  return !names.some((word) => words.has(word.toLowerCase()));
}

/** Verbs with a particle that say the same as the verb of another errand alone. */
const WITH_PARTICLE =
  /^(?:pick(?:ed)? up|handed in|turned in|sent (?:in|off)|dropped off|(?:took|taken|brought|gave|given) back|filled (?:in|out)|tidied up|cleaned (?:up|out)|washed up)$/i;

/** "called off the dentist" is not "called the dentist": a particle belongs to the title, or changes nothing. */
function fitsParticle(particle: string | undefined, verb: string, title: string): boolean {
  if (particle === undefined) return true;
  return wordsOf(title).includes(particle.toLowerCase()) || WITH_PARTICLE.test(`${verb} ${particle}`);
}

/** Things to which this is done, and which do not do it themselves: "passport renewed", not "Tom paid". */
const DONE_TO =
  /^(?:ordered|booked|bought|got|sent|posted|submitted|filed|printed|renewed|returned|paid|signed|washed|fixed|repaired|watered|fed|ironed|packed|shredded|mowed|swept|vacuumed|written|wrapped|replaced|installed|delivered|collected|closed)$/i;

function isThing(verb: string, title: string): boolean {
  const isPerson = /\s\p{Lu}\p{Ll}+/u.test(title.replace(/\s(?:for|about|with|to|from|at|on)\s.*$/i, ''));
  return (
    DONE_TO.test(verb) &&
    !isPerson &&
    !/^(?:the\s+)?(?:shop|store|bank|office|school|restaurant|gym|library|garage)\b/i.test(title.replace(/^\S+\s+/, ''))
  );
}

const SAME = new Set('put cut read set hit shut let spread quit'.split(' '));

function isSameInPast(verb: string): boolean {
  return SAME.has(verb.toLowerCase());
}
