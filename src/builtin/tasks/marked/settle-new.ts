import { extractWhen } from '../../../language/when.ts';
import type { Zone } from '../../../language/zoned-time.ts';
import { offerChoices } from '../plan/offer-readings.ts';
import { isSuspicious } from '../plan/read-again.ts';
import { peel } from '../talk/peel.ts';
import type { Command } from '../task-context.ts';
import { areSameTitles } from './agreement.ts';
import type { GrammarReading } from './command-traits.ts';
import type { MarkedReading } from './read-by-marks.ts';

/** The chances from which titles are added that the grammar reads in other words, or not at all. */
const SURE_TITLES = { other: 0.85, alone: 0.7 } as const;

const NEGATION = /\b(?:not|never|don't|dont|no)\b/i;
/** A list is announced. */
const LIST = /:\s|\n|\b(?:things|tasks|items|following)\b/i;

interface NewTasks {
  text: string;
  grammar: GrammarReading;
  learned: MarkedReading & { commands: Command[] };
  /** The reading that counts so far. */
  chosen: readonly Command[];
  zone: Zone;
}

/**
 * Offers new tasks whose titles are in doubt: a wrong title makes every later turn about it wrong too. Undefined where
 * the readings agree, or where one of them is sure.
 */
export function offerTitles({ text, grammar, learned, chosen, zone }: NewTasks): GrammarReading | undefined {
  const { commands, chance } = learned;
  if (![...chosen, ...commands].every(isCreate)) return undefined;
  const read = grammar.kind === 'commands' && grammar.commands.every(isCreate) ? grammar.commands : [];
  if (read.some(({ isQuoted, isWhole, missing }) => isQuoted || isWhole || missing !== undefined)) return undefined;
  // "remind me not to add sugar": a negation is never lost.
  const isDenied = (list: readonly Command[]) => list.some(({ slots: { title = '' } }) => NEGATION.test(title));
  if (isDenied(read) && !isDenied(commands)) return undefined;
  const isAgreed =
    read.length > 0 &&
    areSameTitles(
      read.map((command) => bare(command, zone)),
      commands,
    );
  const offered =
    grammar.kind === 'offer' && grammar.reply.pending?.kind === 'offer' ? grammar.reply.pending.choices : [];
  const others = offered.filter((reading) => reading.every(isCreate));
  const isHeard = others.some((reading) => areSameTitles(reading, commands));
  const isDoubtful = read.length > 0 || (peel(text).asking === 'add' && !isHeard);
  const limit = isDoubtful ? SURE_TITLES.other : SURE_TITLES.alone;
  const isAnnounced = commands.length > 1 && LIST.test(text) && isSplit(read, commands);
  const isTimeLost = commands.some(({ isDoubted }) => isDoubted);
  if (isTimeLost && isAgreed) return grammar;
  if (!isTimeLost && isCut(read, commands, zone)) return grammar;
  const isSure = isAgreed || isAnnounced || chance >= limit;
  if (!isTimeLost && isSure) return undefined;
  const likely = read.length > 0 && !read.some((command) => isSuspicious(command, zone)) ? [read] : others;
  const readings = likely.filter((reading) => !isSameOffer(reading, commands, zone));
  // Both hear the same: there is nothing to choose.
  if (likely.length > 0 && readings.length === 0 && !isTimeLost) return undefined;
  return {
    kind: 'offer',
    reply: offerChoices([[...commands], ...readings.map((reading) => reading.map((command) => bare(command, zone)))], {
      confidence: chance,
    }),
  };
}

/** True if two readings add the same tasks for the same days, in whatever words. */
function isSameOffer(reading: readonly Command[], commands: readonly Command[], zone: Zone): boolean {
  const plain = reading.map((command) => bare(command, zone));
  const due = ({ slots: { when } }: Command) => (when === undefined ? undefined : extractWhen(when, zone)?.due);
  return (
    areSameTitles(plain, commands) && plain.every((command, index) => due(command) === due(commands[index] ?? command))
  );
}

/** "eggs, flour and sultanas" as one title and as three: the three are meant, unless the whole was asked for. */
export function isSplit(commands: readonly Command[], learned: readonly Command[]): boolean {
  if (![...commands, ...learned].every(isCreate) || learned.length <= commands.length) return false;
  if (commands.some(({ isWhole, isQuoted }) => isWhole || isQuoted)) return false;
  return learned.every(({ slots: { title = '' } }) =>
    commands.some((one) => one.slots.title?.toLowerCase().includes(title.toLowerCase())),
  );
}

/** Words behind a title that are no part of it. */
const ASIDE =
  /^(?:please|pls|plz|thanks|thx|too|also|lol|haha|x+|asap|then|maybe|ok|okay|again|now|tho|though|already|soon|only|both|all|urgent|important|here|there|in|on|at|by|for|to|the|of|and|is|it|with|from|this|next)$/i;

/** "make a shopping" for "make a shopping list": the grammar hears one more word at the end of the title. */
function isCut(read: readonly Command[], commands: readonly Command[], zone: Zone): boolean {
  return commands.some(({ slots: { title = '' } }, index) => {
    const longer = read[index] ? (bare(read[index], zone).slots.title ?? '') : '';
    const rest = longer.toLowerCase().startsWith(`${title.toLowerCase()} `) ? longer.slice(title.length).trim() : '';
    return /^\p{L}+,?$/u.test(rest) && !ASIDE.test(rest.replace(',', '')) && extractWhen(rest, zone) === undefined;
  });
}

/** A command of the grammar with the time taken out of its title, as the plan does it. */
function bare(command: Command, zone: Zone): Command {
  const { title, when } = command.slots;
  const found = title === undefined || when !== undefined || command.isQuoted ? undefined : extractWhen(title, zone);
  if (!found || found.rest.trim() === '') return command;
  return { ...command, slots: { ...command.slots, title: found.rest.trim(), when: found.text } };
}

function isCreate({ action }: Command): boolean {
  return action === 'create';
}
