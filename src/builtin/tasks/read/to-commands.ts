import { startsWithVerb } from '../../../language/action-verbs.ts';
import { cleanText, unquote } from '../../../language/clean-text.ts';
import { extractWhen } from '../../../language/when.ts';
import { contentStems, isOneTypoAway } from '../../../language/words.ts';
import type { Zone } from '../../../language/zoned-time.ts';
import type { Command, Slots } from '../command.ts';
import { readGroup } from '../group.ts';
import type { KnownTask } from '../known-task.ts';
import { cleanReference } from '../reference.ts';
import { isPronoun, resolve } from '../resolve.ts';
import type { TaskMemory } from '../task-memory.ts';
import type { MarkedAct } from './acts.ts';
import { type Scene, type Timing, timeOf, timeSlots } from './times.ts';

/** A time that is clear even inside of a title. */
const CLEAR_TIME =
  /\d[:.]\d\d|\d ?[ap]\.?m\b|\b(?:today|tomorrow|tonight|noon|midnight|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i;
/** Words that point at tasks; after a turn about one task they mean that one. */
const POINTING = /^(?:those|these|them|that ones?|thats? one|this ones?|that thing|this thing|he|she|they)$/i;
const OTHER = /^(?:the\s+)?others?(?:\s+(?:ones?|two|three|task|thing))?$/i;
const TIME_WORD =
  /^(?:before|after|around|about|early|late|sometime|first|latest|due|by|no|later|than|exactly|sharp|the|end|start|middle|mid|during|within|between|only|again|ish|each|every|next|this|coming)$/i;
const JOINED: ReadonlySet<string> = new Set(['del', 'done', 'move']);

/** A command with the act that it was made of. */
export type Read = Pick<Command, 'action' | 'slots'> & Partial<Command> & { act: MarkedAct };

/** The commands of the acts; undefined where one of them cannot be said as a command. */
export function toCommands(acts: readonly MarkedAct[], scene: Scene): Read[] | undefined {
  const commands = joinNamed(acts, scene.zone).map((act) => {
    const command = toCommand(act, scene);
    return command && withKnownTime({ ...command, act }, scene.zone);
  });
  return commands.length > 0 && commands.every((command) => command !== undefined) ? commands : undefined;
}

/** A time that was said is not lost: what is no date is kept in the description of a new task. */
function withKnownTime(command: Read, zone: Zone): Read | undefined {
  const { when, ...slots } = command.slots;
  if (when === undefined || command.shift !== undefined || extractWhen(when, zone) !== undefined) return command;
  if (command.action !== 'create') return undefined;
  return { ...command, slots: { ...slots, description: slots.description ?? when } };
}

/** Several tasks that are deleted, done or moved to one time are one command: none is touched while another is in doubt. */
function joinNamed(acts: readonly MarkedAct[], zone: Zone): MarkedAct[] {
  const joined = new Map<string, MarkedAct>();
  return acts.flatMap((act) => {
    const isJoined = JOINED.has(act.kind) && act.name !== '' && !readGroup(act.name, zone) && act.except === undefined;
    const key = `${act.kind} ${act.when ?? ''}`;
    const first = isJoined ? joined.get(key) : undefined;
    if (!isJoined) return [act];
    // "rang Alan, so tick that off": one task, named once.
    if (first && (isPointing(act.name) || isPointing(first.name))) {
      if (isPointing(first.name)) first.name = act.name;
      return [];
    }
    if (first) {
      first.name = `${first.name} and ${act.name}`;
      first.end = act.end;
      return [];
    }
    const copy = { ...act };
    joined.set(key, copy);
    return [copy];
  });
}

function isPointing(name: string): boolean {
  return isPronoun(name) || /^(?:he|she|her|him|they|them)$/i.test(name);
}

type Draft = Pick<Command, 'action' | 'slots'> & Partial<Command>;

function toCommand(act: MarkedAct, scene: Scene): Draft | undefined {
  if (act.kind === 'add') return toCreate(act, scene);
  const group = readGroup(act.name, scene.zone);
  if (group || act.except !== undefined) return toGroup(act, group ?? {}, scene);
  // "the other one" is no word of a title.
  if (OTHER.test(act.name)) return undefined;
  const isPointed = act.name === '' || (POINTING.test(act.name) && scene.memory.group.length < 2);
  const ref = isPointed ? 'it' : cleanReference(/^[-−]\d/.test(act.name) ? act.name : unquote(act.name)) || 'it';
  if (act.kind === 'done') return { action: 'complete', slots: { ref } };
  if (act.kind === 'del') return { action: 'delete', slots: { ref } };
  return toUpdate(act, ref, scene);
}

/** "get the tyres on for Tuesday": the particle of a verb before a time. */
const PARTICLE = /^(on|off|up|in|out|down|over|back)\s+(?=(?:for|by|until|till|before|on|at|to)\s)/i;

function toCreate({ name: marked, when: said, text }: MarkedAct, scene: Scene): Draft {
  const [, particle] = (startsWithVerb(marked) ? PARTICLE.exec(said ?? '') : null) ?? [];
  const name = particle === undefined ? marked : `${marked} ${particle}`;
  const when = particle === undefined ? said : said?.replace(PARTICLE, '');
  const time = when === undefined ? undefined : timeOf(when, scene);
  const whole = unquote(`${name.replace(/^(?:to|that)\s+/i, '')} ${strayOf(time, scene.zone)}`.trim())
    .replace(/\s+/g, ' ')
    .trim();
  const { title, left } = /^["“']/.test(name) ? { title: whole, left: undefined } : takeTime(whole, time, scene.zone);
  const told = [left, time].filter((part) => part !== undefined).join(' ');
  const slots = { title, ...(told !== '' && { when: told }), ...(text !== undefined && { description: text }) };
  return { action: 'create', slots, isQuoted: true };
}

/** Words in front of a time that are no part of it: "tux" in "tux next Friday". */
function strayOf(time: string | undefined, zone: Zone): string {
  const found = time === undefined ? undefined : extractWhen(time, zone);
  const stray = found?.rest.trim() ?? '';
  const isStray = time?.toLowerCase().startsWith(stray.toLowerCase()) && /^[\p{L}-]{3,}$/u.test(stray);
  return isStray && !TIME_WORD.test(stray) && contentStems(stray).length > 0 ? stray : '';
}

/** A time that the reader left in a title is taken out only where it can be nothing else. */
function takeTime(title: string, time: string | undefined, zone: Zone): { title: string; left?: string | undefined } {
  const found = extractWhen(cleanText(title), zone);
  const stated = time === undefined ? undefined : extractWhen(time, zone);
  const isNew = !stated || (found?.hasTime && !found.hasDay && !stated.hasTime) || (found?.hasDay && !stated.hasDay);
  const isClear = found !== undefined && CLEAR_TIME.test(found.text) && found.rest.trim() !== '' && isNew;
  return isClear ? { title: unquote(found.rest.trim()), left: found.text } : { title };
}

function toGroup(act: MarkedAct, { filter, when: day }: Slots, scene: Scene): Draft | undefined {
  const except = act.except === undefined ? {} : { except: act.except };
  const days = day === undefined ? {} : { when: day };
  if (act.kind === 'done') return { action: 'complete', slots: { ...days, filter: filter ?? 'all', ...except } };
  if (act.kind === 'del') return { action: 'delete', slots: { ...days, filter: filter ?? 'all', ...except } };
  if (act.kind !== 'move' || act.when === undefined) return undefined;
  const { slots: time, ...shift } = timeSlots(act.when, scene);
  const limited = day === undefined ? {} : { day };
  return { action: 'update', ...shift, slots: { filter: 'pending', ...limited, ...except, ...time } };
}

function toUpdate(act: MarkedAct, ref: string, scene: Scene): Draft | undefined {
  const time: Timing = act.when === undefined ? { slots: {} } : timeSlots(act.when, scene);
  const update = (slots: Slots): Draft => ({ action: 'update', ...time, slots: { ref, ...time.slots, ...slots } });
  if (act.kind === 'move') return act.when === undefined ? undefined : update({});
  if (act.kind === 'reopen') return update({ is_completed: false });
  if (act.kind === 'clear') return { action: 'update', slots: { ref, clear: 'due_date' } };
  if (act.kind === 'note') return act.text === undefined ? undefined : update({ description: act.text });
  if (act.to === undefined) return undefined;
  const renamed = newTitle(act.name, act.to, scene);
  return renamed && { ...update(renamed.slots), ...(renamed.task && { targets: [renamed.task] }) };
}

interface Renaming {
  tasks: readonly KnownTask[];
  memory: TaskMemory;
}

/**
 * The rename that some words ask for. "milk to oat milk" changes one word of "buy milk"; a title that is named whole, or a
 * new name that begins with a verb, replaces all of it.
 */
function newTitle(
  old: string,
  to: string,
  { tasks, memory }: Renaming,
): { slots: Slots; task?: KnownTask } | undefined {
  const fresh = unquote(to.trim());
  const name = cleanReference(unquote(old));
  if (name === '' || isPronoun(name)) {
    const last = tasks.find(({ id }) => id === memory.last?.id);
    if (!last) return { slots: { ref: 'it', title: fresh } };
    const title = mergeTitle(last.title, fresh);
    return title === undefined ? undefined : { slots: { ref: 'it', title } };
  }
  const found = resolve(name, tasks, memory);
  const [task, another] = found.kind === 'found' && found.how !== 'similar' ? found.tasks : [];
  if (!task || another) return { slots: { ref: name, title: fresh } };
  const { title } = task;
  const part = partOf(title, unquote(old.trim()));
  const isWhole =
    part === undefined || contentStems(name).length >= contentStems(title).length || startsWithVerb(fresh);
  if (isWhole) return { slots: { ref: name, title: fresh } };
  const slots = {
    ref: title,
    title: title.replace(part, () => fresh).replace(/\b(the|an?|my) (?:the|an?|my) /i, '$1 '),
  };
  return { slots, task };
}

/** The words of a title as they stand in it. */
function partOf(title: string, words: string): string | undefined {
  const bare = words.replace(/^(?:the|my|a|an)\s+/i, '');
  const at = title.toLowerCase().indexOf(bare.toLowerCase());
  return at < 0 || bare === '' ? undefined : title.slice(at, at + bare.length);
}

const NUMBER = /\b(?:\d+(?:[.,]\d+)?|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/i;

const escapeWords = (words: string) => words.replace(/[^\p{L}\p{N}]/gu, String.raw`\$&`);

/**
 * The title that a few words make of the last one: "450" exchanges its number, "Petra" its last word, "farrier" the word
 * that it resembles. Undefined where it is not clear what they replace.
 */
function mergeTitle(title: string, fresh: string): string | undefined {
  const words = title.split(/\s+/);
  if (NUMBER.test(fresh) && fresh.replace(NUMBER, '').trim() === '')
    return NUMBER.test(title) ? title.replace(NUMBER, () => fresh) : undefined;
  const [, thing] = /^\S+\s+(\S+)$/.exec(fresh) ?? [];
  const counted =
    thing !== undefined && NUMBER.test(fresh)
      ? new RegExp(`${NUMBER.source}\\s+${escapeWords(thing)}\\b`, 'i')
      : undefined;
  if (counted?.test(title)) return title.replace(counted, () => fresh);
  if (startsWithVerb(fresh) || !startsWithVerb(title)) return fresh;
  const alike = words.find((word) => fresh.length > 3 && isOneTypoAway(word.toLowerCase(), fresh.toLowerCase()));
  if (alike !== undefined) return title.replace(alike, () => fresh);
  return words.length === 2 ? `${words[0]} ${fresh}` : undefined;
}
