import { isActionVerb } from '../../../language/action-verbs.ts';
import { isKnownWord } from '../../../language/typos.ts';
import { contentStems, isOneTypoAway, stem } from '../../../language/words.ts';
import type { KnownTask } from '../known-task.ts';

/** The task that some words are about. */
interface Mention {
  task: KnownTask;
  /** Words of the text that are not of the title and mean something. */
  others: string[];
  /** The word that the title is about was said. */
  isHead: boolean;
  /** Every word of the title was said. */
  isWhole: boolean;
}

/** `several`: each named by words of its own. `many`: the same words name all of them. */
export type Mentions =
  | { kind: 'none'; others: string[] }
  | ({ kind: 'one' } & Mention)
  | { kind: 'several'; mentions: Mention[]; others: string[] }
  | { kind: 'many'; tasks: KnownTask[] };

/** Words of talk about a task that do not describe it. */
const TALK: ReadonlySet<string> = new Set(
  (
    "a an the my our your his her their this that these those it its it's i me we you us he she they him them one ones thing things stuff task tasks item items " +
    'todo todos reminder entry list to of for on in at by with from and or about is are was were be been being am do did does doing have has had having will would ' +
    "can could should shall may might must ought need needs needed want wants wanted let lets let's please pls just so as also too now then well actually sorry no " +
    'not yes yeah yep ok okay oh ah hm hmm still already finally again back instead rather better best fine good great really very but because if when till until ' +
    'before after only both all each every same time day date due deadline hour said says say told tell think guess mean meant make made put set move moved push pushed ' +
    'pushes change changed shift shifted slip slipped bump bumped get got gotten go goes going gone come came leave left keep kept take took taken give gave done ' +
    'do finished finish completed complete sorted handled ready yet there here up out off down over away into onto through than more most less much many some any ' +
    "other another else new old next last first second third late later earlier early soon sooner maybe perhaps probably that's thats there's what's who which what " +
    'where why how lol haha omg wow ugh damn hey hi hello thanks thank cheers thx x xx wait hang hold forget never mind matter instead though tho properly basically ' +
    "literally totally officially delete remove erase drop cancel cancelled scrap bin kill lose strike cross tick check mark reopen undo rename call called don't dont " +
    "doesn't didn't isn't wasn't aren't haven't hasn't can't cannot won't wouldn't shouldn't na nah nope nvm even happen happens happening anymore longer any more works work suits booked moved wrong right true"
  ).split(/\s+/),
);

/** The words of a text that say what it is about. */
export function topicWords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’.:-][\p{L}\p{N}]+)*/gu) ?? [];
  return words.filter((word) => !TALK.has(word) && (word.length > 1 || /\d/.test(word)));
}

function isSame(word: string, other: string): boolean {
  if (word === other) return true;
  if (Math.min(word.length, other.length) < 4 || isKnownWord(word)) return false;
  return isOneTypoAway(word, other);
}

/** A title says what it is about before these words; behind them are details. */
const DETAIL = /^(?:for|about|with|from|at|by|to|on|in|of|before|after|regarding|re|via|until|and)$/i;

function headOf(title: string): string | undefined {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu) ?? [];
  const object = words.length > 1 && isActionVerb(words[0] ?? '') ? words.slice(1) : words;
  const end = object.findIndex((word, index) => index > 0 && DETAIL.test(word));
  return contentStems(object.slice(0, end < 0 ? undefined : end).join(' ')).at(-1);
}

interface Said {
  word: string;
  stem: string;
}

interface Title {
  task: KnownTask;
  stems: string[];
  verb: string | undefined;
}

/** Finds the tasks whose words, rare ones first, are in the text. The verb of a title alone mentions nothing. */
export function findMentions(text: string, tasks: readonly KnownTask[]): Mentions {
  const said = topicWords(text).map((word) => ({ word, stem: stem(word) }));
  const titles = tasks.map(readTitle);
  const mentions: Mention[] = [];
  let left: Said[] = said;
  for (;;) {
    const best = bestOf(left, titles);
    if (best.length === 0) break;
    const [first, another] = best;
    if (!first || another) {
      if (mentions.length > 0) break;
      return { kind: 'many', tasks: best.map(({ task }) => task) };
    }
    left = left.filter((one) => !first.stems.some((other) => isSame(one.stem, other)));
    mentions.push(describe(first, said, left));
  }
  mentions.sort((a, b) => placeOf(a.task, said) - placeOf(b.task, said));
  const [only, other] = mentions;
  if (!only) return { kind: 'none', others: said.map(({ word }) => word) };
  return other ? { kind: 'several', mentions, others: left.map(({ word }) => word) } : { kind: 'one', ...only };
}

/** Where a task is named first. */
function placeOf(task: KnownTask, said: readonly Said[]): number {
  const stems = contentStems(task.title);
  return said.findIndex((one) => stems.some((other) => isSame(one.stem, other)));
}

function readTitle(task: KnownTask): Title {
  const stems = [...new Set(contentStems(task.title))];
  const isVerb = isActionVerb(task.title.toLowerCase().split(/\s+/)[0] ?? '') && stems.length > 1;
  return { task, stems, verb: isVerb ? stems[0] : undefined };
}

function describe({ task, stems }: Title, said: readonly Said[], left: readonly Said[]): Mention {
  const hits = stems.filter((one) => said.some((other) => isSame(other.stem, one)));
  const head = headOf(task.title);
  return {
    task,
    others: left.map(({ word }) => word),
    isHead: head !== undefined && hits.includes(head),
    isWhole: hits.length === stems.length,
  };
}

/** The titles that share the most with what was said; open tasks and whole titles come first. */
function bestOf(said: readonly Said[], titles: readonly Title[]): Title[] {
  const count = (one: string) => titles.filter(({ stems }) => stems.includes(one)).length;
  const scored = titles.map((title) => {
    const hits = title.stems.filter((one) => said.some((other) => isSame(other.stem, one)));
    const things = hits.filter((one) => one !== title.verb);
    const score = things.reduce((sum, one) => sum + 1 / count(one), 0) + (hits.length > things.length ? 0.3 : 0);
    return { title, things, score: things.length === 0 ? 0 : score, isWhole: hits.length === title.stems.length };
  });
  const best = Math.max(0, ...scored.map(({ score }) => score));
  if (best === 0) return [];
  const top = scored.filter(({ score }) => score > best - 0.01);
  const whole = top.filter(({ isWhole }) => isWhole);
  const chosen = whole.length === 1 ? whole : top;
  const open = chosen.filter(({ title }) => !title.task.is_completed);
  const left = open.length === 1 ? open : chosen;
  // "milk and eggs": equally well named, each by words of its own.
  const [first, ...others] = left;
  const isOwn = first?.things.every((thing) => others.every(({ things }) => !things.includes(thing)));
  return (first && isOwn ? [first] : left).map(({ title }) => title);
}
