import { unquote } from '../../../language/clean-text.ts';
import type { KnownTask } from '../known-task.ts';
import { namesTasks, namesWhole } from './names-task.ts';
import { clause } from './plain-words.ts';
import { turnsRound } from './remarks.ts';

/** Forms that can only mean a new name. */
const CLEAR = [
  clause(
    String.raw`(?:rename|retitle|rephrase|reword)\s+(.+?)\s*(?:\b(?:to|as|into)\b(?:\s+(?:say|read))?|:|=|->)\s*(.+)`,
  ),
  clause(
    String.raw`(?:change|update|edit|correct|fix|set)\s+the\s+(?:name|title|wording|text)\s+(?:of|for|on)\s+(.+?)\s+to\s+(.+)`,
  ),
  clause(String.raw`(?:change|update|edit|correct|fix)\s+(.+?)(?:'s)?\s+(?:name|title|wording)\s+to\s+(.+)`),
  clause(String.raw`(.+?)\s+should\s+be\s+(?:called|named|titled)\s+(.+)`),
  clause(String.raw`relabel\s+(.+?)\s+(?:as|to)\s+(.+)`),
  clause(String.raw`(?:change|turn)\s+(.+?)\s+into\s+(.+)`),
  clause(String.raw`make\s+(.+?)\s+(?:say|read)\s+(.+)`),
  clause(String.raw`the\s+(?:name|title)\s+of\s+(.+?)\s+(?:must|should)\s+be\s+(.+)`),
  clause(String.raw`call\s+the\s+task\s+(.+?)\s+now\s+(.+)`),
  clause(String.raw`(?:change|update|edit|correct)\s+(.+?)\s+to\s+(?:say|read)\s+(.+)`),
];
/** "back", "something else", "what it was": no names. */
const NO_NAME =
  /^(?:back|it|that|this|what|whatever|something|anything|nothing|the (?:same|old|other|first|last|original|previous)|how it|before|be|(?:any|some|no)(?:one|body|thing)|the (?:top|bottom|end|front|side|left|right))\b|\?$/i;
/** A sentence, a time or a wish is hardly a new name. */
const ODD_NAME =
  /(?<!\b(?:Dr|Mr|Mrs|Ms|St|Prof|No))[.;!?]\s+\S|,\s*(?:not|say)\b|\b(?:is|are|was|were|isn't|not) \S|\b(?:at|by|until|till) (?:\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)|^(?:like|better|as|before|after|until|till)\b|\b(?:repeat(?:s|ing|ed)?|recur(?:s|ring)?|every|each|weekly|daily|monthly|urgent|priority|important)\b|\band\b.+\bto\b|,\s*(?:i mean|sorry|no|wait)\b|\bi mean\b|\b(?:because|since|anyone|someone|anybody|somebody|nobody|else)\b|\b(?:nvm|never ?mind|forget it|scratch that|y\/n|undo|ok)\b/i;
const QUOTED = /^["“'].+["”']$/;

/** True for words that are no name at all: "that should be it". */
export function isNoName(title: string): boolean {
  return /^(?:it|that|this|thank you|thanks|please|ok(?:ay)?|fine|all|nothing)\W*$/i.test(title);
}

/** True for words that a person would hardly want to read as a task. */
export function isOddName(title: string): boolean {
  return ODD_NAME.test(title) || NO_NAME.test(title);
}

/** True if a clause plainly gives this task that name. */
export function isPlainRename(words: string, task: KnownTask, title: string): boolean {
  const isSaid = (name: string) => unquote(name).toLowerCase() === title.toLowerCase();
  for (const pattern of CLEAR) {
    const [, name = '', said = ''] = pattern.exec(words.replace(/\s+instead$/i, '')) ?? [];
    if (said !== '' && namesTasks(name, { tasks: [task], known: [] }) && namesWhole(name, task) && isSaid(said))
      return QUOTED.test(said) || (!isOddName(title) && !turnsRound(title));
  }
  return false;
}

/** Words of a correction beside the name itself. */
const CORRECTING = new Set(
  "rename no nope nah not sorry actually wait correction rather instead of than i mean meant make made it it's its that should be is change to say says read call called the a an my name title but oops please".split(
    ' ',
  ),
);

/**
 * True for a correction that keeps a part of the name ("no, ring Petra" for "ring Peter", "not flowers, chocolate"), or puts
 * one name for another ("no, Petra"). Any other word in the message, and it may mean something else.
 */
export function isMendedName(words: string, { title: old }: KnownTask, title: string): boolean {
  if (
    isOddName(title) ||
    turnsRound(title) ||
    /^(?:is|are|was|should|does|do|can|could)\b|\brename\b.*\bnot\b/i.test(words)
  )
    return false;
  const [, denied] = /\bnot\s+(?:the\s+|an?\s+|my\s+)?([\p{L}\p{N}'-]+)/iu.exec(words) ?? [];
  if (denied !== undefined && lower(title).has(denied.toLowerCase())) return false;
  const said = tokens(words).filter((word) => !CORRECTING.has(word.toLowerCase()));
  const [kept, named] = [lower(old), lower(title)];
  const keepsPart = tokens(title).some((word) => kept.has(word.toLowerCase()));
  const isOnlyName = said.every((word) => kept.has(word.toLowerCase()) || named.has(word.toLowerCase()));
  const fresh = tokens(title).filter((word) => !kept.has(word.toLowerCase()));
  const isAllSaid = fresh.every((word) => said.some((other) => other.toLowerCase() === word.toLowerCase()));
  if (!keepsPart || !isOnlyName || !isAllSaid || fresh.length === 0) return false;
  const [, value = ''] = /\bchange\b.+?\bto\b(.+)$/i.exec(words) ?? [];
  const isChanged = tokens(value).some((word) => kept.has(word.toLowerCase()));
  const isSwapped = isChanged || /\b(?:not|instead of|rather than)\s+\S/i.test(words);
  const isVerbatim = words.toLowerCase().includes(title.toLowerCase());
  const sharesOld = said.some((word) => kept.has(word.toLowerCase()));
  const lost = tokens(old).filter((word) => !named.has(word.toLowerCase()));
  const isNameForName = [...fresh, ...lost].every((word) => /^\p{Lu}/u.test(word)) && lost.length > 0;
  return (sharesOld && (isVerbatim || isSwapped)) || isNameForName;
}

const tokens = (text: string) => text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];
const lower = (text: string) => new Set(tokens(text.toLowerCase()));
