import { extractWhen } from '../../../language/when.ts';
import type { Zone } from '../../../language/zoned-time.ts';
import type { Command, Slots } from '../command.ts';

const HEAD =
  /^(?:(?:and|so|now|then|please|ok|okay|hey|right|just)[\s,]+)*(?:can you |could you |would you |let me |i want to |i'd like to |i need to )?(?:show|list|display|view|see|read|tell me|give me|check|print|review|recap|summari[sz]e|go (?:over|through)|run through|remind me (?:what|which)|what|what's|whats|which|any|anything|how many|how much|do i|did i|have i|are there|is there|am i|how's|how|my|all|the|open|pending|completed|done|finished|overdue|everything|tasks?|to-?dos?|only|just)\b/i;
/** Words of which a question about the list consists, its time aside. */
const WORDS = new Set(
  (
    'a all already am and remind any anything are at back be been both can completed complete completely could count currently day did display do does doing done due else ever every everything finish finished ' +
    "for from get getting give go going got has have hasn't haven't i i've i'd i'm in including included incomplete is isn't it item items just know left let like list lists look looking late later me month much many must my need needs next no not now of off on " +
    'ones one only open or order other our out outstanding over overdue pending plate planned please plus print read remain remaining remains right run schedule scheduled see should show so soon soonest still stuff summarise summarize summary ' +
    "supposed task tasks tell that that's the them there these thing things this those tick ticked to today todo todos to-do to-dos together too total unfinished undone until up upcoming urgent view was we week what what's whats when where which will with without would year yet you " +
    "agenda calendar reminders reminder date dates deadline deadlines dated undated attached set so far how how's here everything's important most first accomplished accomplish achieve achieved got gotten checked crossed again stand stands whole entire full"
  ).split(' '),
);
const ABOUT =
  /\b(?:tasks?|to-?dos?|list|lists|plate|agenda|schedule|reminders?|items?|due|left|pending|open|overdue|outstanding|remain\w*|unfinished|undone|incomplete|done|finish(?:ed)?|completed?|accomplished|to do|do i|i do|planned|upcoming|next|urgent|important|everything|ticked|date|dates|deadlines?|undated|going on|on for|coming up|up for|i have|have i|i got|things|stuff)\b/i;
const ALL =
  /\b(?:including|included|plus|with|both)\b.*\b(?:done|completed|finished|ticked)\b|\b(?:done|completed|finished)\b.*\bincluded\b/i;
const COMPLETED =
  /\b(?:completed|finished|done|accomplished|achieved|closed|checked[- ]off|ticked(?:[- ]off)?|crossed[- ]off|(?:did|have) i (?:already )?(?:do|done|finish(?:ed)?|completed?|accomplish(?:ed)?|get|got|tick(?:ed)?)|got done|complete tasks)\b/i;
const NOT_DONE =
  /(?:\b(?:not|un)|n't)\s*(?:yet\s+|been\s+)?(?:done|finished|completed?)|haven't|incomplete|unfinished|undone/i;
const OPEN =
  /\b(?:pending|open|outstanding|remain\w*|left|unchecked|still|need(?:s)? to|to be done|have to do|yet to|overdue|to get done|most (?:urgent|important)|(?:due|up|comes?) (?:first|next)|soonest|urgent|important)\b/i;
const UNDATED =
  /\b(?:no|without(?: an?)?|lack\w*|hasn't got a|haven't got a|don't have a|undated)\s*(?:due )?(?:dates?|deadlines?|time|day)?\b/i;

/** "what are my tasks?", "show completed", "what do I need to do today?": every word is one of a list. */
export function readListQuestion(clean: string, zone: Zone): Command | undefined {
  if (!HEAD.test(clean)) return undefined;
  const rest = extractWhen(clean, zone)?.rest ?? clean;
  const words = rest.toLowerCase().match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];
  if (words.length > 14 || !ABOUT.test(clean) || !words.every((word) => WORDS.has(word))) return undefined;
  // "complete task" and "a task" ask for something else.
  if (/^(?:complete|the|a|my|all|just|only)?\s*(?:task|item|todo|one|the list)\W*$/i.test(clean)) return undefined;
  return { action: 'list', confidence: 0.95, evidence: 'plain', slots: readFilter(clean, zone) };
}

/** True for words that say nothing about a single task. */
export function areListWords(text: string): boolean {
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => WORDS.has(word));
}

/** Which tasks a question about the list means. */
export function readFilter(clean: string, zone: Zone): Slots {
  const when = /\b(?:overdue|late)\b/i.test(clean) ? 'overdue' : extractWhen(clean, zone)?.text;
  if (when === 'overdue') return { when };
  const slots: Slots = when === undefined ? {} : { when };
  if (/\b(?:date|dates|deadlines?|undated|time)\b/i.test(clean) && UNDATED.test(clean))
    return { filter: 'pending', undated: true };
  if (ALL.test(clean)) return { ...slots, filter: 'all' };
  if (NOT_DONE.test(clean)) return { ...slots, filter: 'pending' };
  if (COMPLETED.test(clean) && !/\bneeds? to (?:be|get)\b|\bto (?:be|get) done\b|\bget done\b(?! today)/i.test(clean))
    return { ...slots, filter: 'completed' };
  if (OPEN.test(clean)) return { ...slots, filter: 'pending' };
  return /\b(?:all|everything|every|entire|whole|full)\b/i.test(clean) ? { ...slots, filter: 'all' } : slots;
}
