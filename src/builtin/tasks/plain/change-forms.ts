import { unquote } from '../../../language/clean-text.ts';
import { DURATION } from '../../../language/durations.ts';
import { form, type Message, readForm, type Slots as Words } from '../../../language/forms.ts';
import { extractWhen } from '../../../language/when.ts';
import { mayTurnRound } from '../../../language/yes-no.ts';
import type { Zone } from '../../../language/zoned-time.ts';
import type { Command, Evidence, Slots } from '../command.ts';
import { readGroup, readTarget } from '../group.ts';

const LIST = '(from|off|off of) (my|the|our) [todo|to-do|task|shopping|grocery] (list|tasks|todos|to-dos|reminders)';
const NOUN = '(task|one|reminder|item|entry)';
const LOOSE =
  '(get rid of|discard|scrap|bin|trash|ditch|dump|drop|cancel|scratch|strike|kill|chuck|throw out|throw away|axe|clear|clear out|wipe|empty|purge|toss)';
const OFF = '(tick|check|cross|mark|knock|strike)';
const DONE =
  '(done|finished|complete|completed|sorted|sorted out|dealt with|taken care of|ticked off|checked off|crossed off|handled|wrapped up|out of the way|over with)';
const HOW = '[all|both] [now|already|finally|just|also|totally|officially]';
const BE = "(is|are|was|were|'s|'re|got|has been|have been)";
const I = "[i|we] ['ve|have]";
const EXCEPT = '[[,] (except|except for|apart from|but|but not|other than|besides|excluding) <except>]';
const NOT_DONE = '(not done|undone|open|incomplete|not finished|pending|unfinished|not complete|to do)';
const TAKE = '(delete|remove|erase|clear|drop|cancel|unset|take|take away|get rid of|wipe)';
const FIELD =
  /^(?:(due dates?|deadline|due day|date)|(due time|(?:exact )?time|hour)|(descriptions?|notes?|details?)|(?:title|name))$/i;
const MOVE = '(move|push|shift|reschedule|postpone|change|bring|delay|switch|bump|slide|prepone)';
const NO_NAME =
  /^(?:back|it|that|this|what|whatever|something|anything|nothing|the (?:same|old|other|first|last|original|previous)|how it|before|be|(?:any|some|no)(?:one|body|thing))\b|\?$/i;
/** A wish, or a second sentence, is hardly a new name. */
const ODD_NAME =
  /(?<!\b(?:Dr|Mr|Mrs|Ms|St|Prof|No))[.;!?]\s+\S|\b(?:repeat(?:s|ing|ed)?|recur(?:s|ring)?|every|each|weekly|daily|monthly|urgent|priority|important)\b|\band\b.+\bto\b|^(?:like|better|as|before|after|until|till|a|the)$/i;

/** Conditions on the open places of the forms. */
export function checksOf(zone: Zone): Message['checks'] {
  return {
    when: (text) => extractWhen(text.replace(SAME_TIME, ''), zone)?.rest === '' || /^at \d{1,2}$/.test(text),
    length: (text) => LENGTH.test(text),
    field: (text) => FIELD.test(text),
    group: (text) => readGroup(text, zone) !== undefined,
    target: isName,
    subject: (text) => isName(text) && !mayTurnRound(text) && text.split(/\s+/).length <= MAX_SUBJECT,
  };
}
const LENGTH = new RegExp(`^${DURATION}$`, 'i');
/** The hour of a task stays by itself. */
const SAME_TIME = /,?\s+(?:at\s+)?(?:the\s+)?same (?:time|hour)$/i;

const MAX_SUBJECT = 7;
/** A reason behind the name: "footy, it's cancelled". */
const REASON =
  /(?:^|\s|,)(?:i|he|she|they|we|its|it's|i'm|he's|she's|they're)\s|,.*\b(?:is|are|was|can|will|has|have|my|not)\b|n't\b/i;

/** True for words that may be a name and say nothing else. */
function isName(text: string): boolean {
  return /^["'].*["']$/.test(text) || !REASON.test(text.replace(EXCEPTION, ''));
}
const EXCEPTION = /\b(?:except|but|apart from|other than|besides|excluding)\b.*$/i;

type Maker = (words: Words, zone: Zone) => Command | undefined;

const command = (action: Command['action'], slots: Slots, others: Partial<Command> = {}): Command => {
  return { action, confidence: 0.95, evidence: 'plain', slots, ...others };
};

/** A command about the tasks that some words point at; without such words the task is asked for. */
function about(
  action: Command['action'],
  { subject = '', target = subject, except }: Words,
  zone: Zone,
  others: Partial<Command> = {},
) {
  const { slots = {}, ...rest } = others;
  const found = { ...readTarget(target, zone), ...(except !== undefined && { except: unquote(except) }) };
  const isOpen = found.ref === undefined && found.filter === undefined && found.except === undefined;
  // The time of a change is the new one; that of its group limits the group.
  const { when, ...group } = found;
  const timed = when === undefined ? {} : action === 'update' ? { day: when } : { when };
  return command(action, { ...group, ...timed, ...slots }, { ...rest, ...(isOpen && { missing: 'ref' as const }) });
}

const remove: Maker = (words, zone) => about('delete', words, zone);
const complete: Maker = (words, zone) => about('complete', words, zone);
const report: Maker = (words, zone) => {
  const made = complete(words, zone);
  return made && { ...made, isReport: true };
};
const loosely =
  (make: Maker, evidence: Evidence): Maker =>
  (words, zone) => {
    const made = make(words, zone);
    return made && made.slots.ref !== undefined && made.slots.except === undefined ? { ...made, evidence } : made;
  };
const move: Maker = (words, zone) =>
  about('update', words, zone, { slots: { when: (words.when ?? '').replace(SAME_TIME, '') } });
const shift =
  (way: 'later' | 'earlier'): Maker =>
  (words, zone) =>
    about('update', words, zone, { slots: { when: words.length ?? '' }, shift: way });
const reopen: Maker = (words, zone) => about('update', words, zone, { slots: { is_completed: false } });
/** A change that is not said. Words behind "to" or a comma say one that no form reads. */
const open: Maker = (words, zone) => {
  if (/\b(?:to|into|as)\b|,|:/i.test(words.target ?? '')) return undefined;
  const made = about('update', words, zone);
  return made.missing === undefined ? { ...made, missing: 'change' } : made;
};
const note: Maker = (words, zone) =>
  about('update', words, zone, { slots: { description: unquote(words.text ?? '') } });
const rename: Maker = (words, zone) => {
  const { title: said = '' } = words;
  const title = unquote(said);
  if (title === '') return open(words, zone);
  const isQuoted = /^["']/.test(said);
  if (!isQuoted && (!isName(title) || NO_NAME.test(title) || extractWhen(title, zone)?.rest === '')) return undefined;
  // "change it to red" may be meant of the thing.
  const isLoose = words.verb !== undefined && /^(?:it|that|this)$/i.test(words.target ?? '');
  const evidence = isQuoted || !(isLoose || mayTurnRound(title) || ODD_NAME.test(title)) ? 'plain' : 'likely';
  return about('update', words, zone, { slots: { title }, evidence });
};
const clear: Maker = (words, zone) => {
  const [, date, time, description] = FIELD.exec(words.field ?? '') ?? [];
  const field = date ? 'due_date' : time ? 'due_time' : description ? 'description' : undefined;
  return field === undefined ? open(words, zone) : about('update', words, zone, { slots: { clear: field } });
};

/** All closed forms of a change; the first that reads the whole clause counts. */
const FORMS = (
  [
    [
      `${TAKE} [the|any] <field> (of|from|for|on) <target> [,] [and|but] [just|only] (keep|leave) the (day|date)`,
      clear,
    ],
    [`${TAKE} [the|any|its] <field> (of|from|for|on|off|off of) <target>`, clear],
    [`${TAKE} <target> 's <field>`, clear],
    [`${TAKE} its <field>`, (words, zone) => clear({ ...words, target: 'it' }, zone)],
    [`${TAKE} the <field>`, clear],
    [`<subject> (has|have|needs|need) no <field> [anymore|any more|now]`, clear],
    [`(set|change) the <field> (of|for|on) <target> to (none|nothing|never|empty|null)`, clear],
    [
      `keep <except> (and|but) (delete|remove|erase|clear) (everything else|all the others|the others|the rest|all others)`,
      (words, zone) => remove({ ...words, target: 'everything' }, zone),
    ],
    [`(delete|remove|erase|rm|del) <target> ${LIST}`, remove],
    [`(delete|remove|erase|rm|del) [<target>]`, remove],
    [`take <target> ${LIST}`, remove],
    [`${LOOSE} <target> (${LIST}|${NOUN})`, remove],
    [`${LOOSE} <group>`, (words, zone) => remove({ target: words.group ?? '' }, zone)],
    [
      `${LOOSE} <group> [,] (but|except|except for|apart from|but keep|and keep) [keep] <except>`,
      (words, zone) => remove({ ...words, target: words.group ?? '' }, zone),
    ],
    [`${LOOSE} <target>`, loosely(remove, 'likely')],
    [`(mark|set|put|flag|change) <target> [back] (as|to) ${NOT_DONE}`, reopen],
    [`(reopen|re-open|unmark|uncheck|untick|un-tick) <target>`, reopen],
    [`<subject> (is|are|'s|was|were) not ${DONE} [yet|anymore]`, reopen],
    [`<subject> (isn't|aren't|wasn't|weren't) ${DONE} [yet]`, reopen],
    [`(i|we) (haven't|have not|didn't|did not) (finished|done|completed|do|finish|complete) <target> [yet]`, reopen],
    [`mark [as] (done|complete|completed|finished) [:|,] [<target>]`, complete],
    [`finish <target> (task|one|item|reminder)`, complete],
    [
      `(mark|set|flag|check|tick|cross|put|log|record|count) <target> [off] [as|to] (done|complete|completed|finished|sorted) ${EXCEPT}`,
      complete,
    ],
    [`${OFF} off <target>`, complete],
    [`${OFF} <target> (off|${LIST})`, complete],
    [`(complete|tick) [<target>]`, complete],
    [
      `${I} [just|already|finally|now|also|all] (finished|completed|done|did|dealt with|took care of|ticked off|crossed off|wrapped up) [with] <target>`,
      report,
    ],
    [`<subject> ${BE} ${HOW} ${DONE} ${EXCEPT}`, report],
    [`<subject> [:|-] (done|finished|complete)`, report],
    [
      `(done|finished|all done|did it|did that|i did it|i did that|that's done|it's done)`,
      () => command('complete', { ref: 'it' }, { isReport: true }),
    ],
    [
      `(add|put|write) [a|the|this] (note|description|comment|details|detail) (to|on|for) <target> [saying|that says] : <text>`,
      note,
    ],
    [`(add|put|write) [a|the] (note|description|comment) (to|on|for) <target> (saying|that says) <text>`, note],
    [`(set|change|update) the (description|note|notes|details) (of|for|on) <target> to <text>`, note],
    [`(move|bring|pull|push) <target> (forward|up) [by] <length>`, shift('earlier')],
    [`${MOVE} <target> [back|out] by <length>`, shift('later')],
    [`(move|push|delay|postpone|bump) <target> back <length>`, shift('later')],
    [`${MOVE} <target> <length> later`, shift('later')],
    [`${MOVE} <target> <length> (earlier|sooner)`, shift('earlier')],
    [
      `${MOVE} <target> [back|forward|up|out|over] (to|until|till|for|on) <when> [instead] [(since|because|as) <reason>]`,
      move,
    ],
    [`(move|push|shift|reschedule|postpone|change) <target> to (on|at|by) <when> [instead]`, move],
    [`(set|change|move|update) the (time|date|due date|deadline|day) (of|for) <target> to <when>`, move],
    [`make (it|that) <when> [instead]`, (words, zone) => move({ ...words, target: 'it' }, zone)],
    [`(rename|retitle|relabel|rephrase|reword) <target> (to|as|into|:|=) <title> [instead]`, rename],
    [`(change|update|edit|correct|set) the (name|title|wording|text) (of|for|on) <target> to <title>`, rename],
    [
      `(change|update|edit) <target> (to|into) [say|read] <title> [instead]`,
      (words, zone) => rename({ ...words, verb: 'change' }, zone),
    ],
    [`(rename|retitle|change|update|edit|modify|move|reschedule|postpone) [<target>]`, open],
  ] as const satisfies readonly (readonly [string, Maker])[]
).map(([notation, make]) => [form(notation), make] as const);

/** The change that a clause orders or reports, every word of it in its place. */
export function readChange(message: Message, zone: Zone): Command | undefined {
  for (const [rule, make] of FORMS) {
    const words = readForm(rule, message);
    const made = words && make(words, zone);
    if (made) return made;
  }
  return undefined;
}
