import type { Fillers } from './fillers.ts';
import type { Random } from './random.ts';
import type { LearnedIntent, WordTag } from './template-labels.ts';
import { bareWhen, when } from './when-phrases.ts';

/** A piece of a sentence and the role of its words. */
export interface Segment {
  text: string;
  tag: WordTag;
}

interface Filling {
  fillers: Fillers;
  random: Random;
  intent: LearnedIntent;
}

const ORDINALS = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'last',
  'second last',
  'next',
  '2nd',
  '1st',
  '3rd',
  'top',
];
const NUMBERS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '12', 'one', 'two', 'three', 'four', 'five'];
const PRONOUNS = ['it', 'that', 'this', 'that one', 'this one', 'them', 'the last one', 'that task'];
const SEPARATOR = /^\s*(?:,|;|\/|\+|&|-|–|and|, and|n|plus|and also|, also|or|then|and then|\d\)|\d\.|[a-c]\))\s*$/;
const PART = /\{(\w+)\}|<(\w+):([^>]+)>/g;

/** Fills one template: choices are drawn, placeholders get words, and every piece gets its role. */
export function fillTemplate(template: string, filling: Filling): Segment[] {
  const text = drawChoices(template, filling.random);
  const segments: Segment[] = [];
  let from = 0;
  for (const match of text.matchAll(PART)) {
    if (match.index > from) segments.push({ text: text.slice(from, match.index), tag: 'none' });
    from = match.index + match[0].length;
    const [, name, tag, words] = match;
    // Written tags are checked by the test of the templates.
    if (name === undefined) segments.push({ text: words ?? '', tag: (tag ?? 'none') as WordTag });
    else segments.push(...fillPlaceholder(name, filling));
  }
  if (from < text.length) segments.push({ text: text.slice(from), tag: 'none' });
  return markSeparators(segments);
}

/** `[a|b]` is a choice; brackets without a bar are text. */
function drawChoices(template: string, random: Random): string {
  return template.replace(/\[([^\][]*\|[^\][]*)\]/g, (_, choices: string) => random.pick(choices.split('|')));
}

function markSeparators(segments: readonly Segment[]): Segment[] {
  return segments.map((segment, at) => {
    const before = segments[at - 1]?.tag;
    const isBetween = before !== undefined && before !== 'none' && before === segments[at + 1]?.tag;
    return isBetween && SEPARATOR.test(segment.text) ? { ...segment, tag: 'separator' } : segment;
  });
}

/** A 0 at the end of a name leaves the words without a role. */
function fillPlaceholder(name: string, filling: Filling): Segment[] {
  if (!name.endsWith('0')) return fillNamed(name, filling);
  return fillNamed(name.slice(0, -1), filling).map(({ text }) => ({ text, tag: 'none' }));
}

function fillNamed(name: string, filling: Filling): Segment[] {
  const fill = FILLS[name];
  if (!fill) throw new Error(`unknown placeholder {${name}}`);
  return fill(filling);
}

const FILLS: Readonly<Record<string, (filling: Filling) => Segment[]>> = {
  t: (filling) => [{ text: filling.random.chance(0.6) ? verb(filling) : noun(filling), tag: 'title' }],
  tv: (filling) => [{ text: verb(filling), tag: 'title' }],
  tb: ({ fillers, random }) => [
    { text: random.pick([...fillers.bases, ...fillers.verbs.map(({ base }) => base)]), tag: 'title' },
  ],
  tn: (filling) => [{ text: noun(filling), tag: 'title' }],
  tg: ({ fillers, random }) => [{ text: random.pick(fillers.verbs).gerund, tag: 'title' }],
  tp: ({ fillers, random }) => [{ text: random.pick(fillers.verbs).past, tag: 'title' }],
  q: (filling) => quoted(anyTitle(filling), 'title', filling.random),
  q2: (filling) => quoted(anyTitle(filling), 'ref', filling.random),
  rq: (filling) => quoted(anyTitle(filling), 'ref', filling.random),
  nt: (filling) =>
    filling.random.chance(0.15)
      ? quoted(anyTitle(filling), 'new', filling.random)
      : [{ text: anyTitle(filling), tag: 'new' }],
  r: (filling) => reference(filling, 0.45),
  rn: (filling) => reference(filling, 0.14),
  rb: (filling) => [{ text: verb(filling), tag: 'ref' }],
  rp: ({ fillers, random }) => [{ text: random.pick(fillers.verbs).past, tag: 'ref' }],
  rg: ({ fillers, random }) => [{ text: random.pick(fillers.verbs).gerund, tag: 'ref' }],
  ro: ({ random }) => [{ text: random.pick(ORDINALS), tag: 'ref' }],
  ri: ({ random }) => [{ text: random.pick(NUMBERS), tag: 'ref' }],
  rit: ({ random }) => [{ text: random.pick(PRONOUNS), tag: 'ref' }],
  x: exception,
  w: ({ random }) => [{ text: when(random), tag: 'when' }],
  wb: ({ random }) => [{ text: bareWhen(random), tag: 'when' }],
  f: (filling) => [{ text: word('filters', filling), tag: 'filter' }],
  fa: (filling) => [{ text: word('all', filling), tag: 'filter' }],
  d: (filling) => [{ text: word('descriptions', filling), tag: 'description' }],
  p: (filling) => [{ text: word('people', filling), tag: 'none' }],
  l: (filling) => [{ text: word('lists', filling), tag: 'none' }],
  n: (filling) => [{ text: word('things', filling), tag: 'none' }],
  n1: ({ random }) => [{ text: random.pick(['two', 'three', '2', '3']), tag: 'none' }],
  od: (filling) => [{ text: other(filling), tag: filling.intent === 'create' ? 'title' : 'none' }],
  odr: (filling) => [{ text: other(filling), tag: 'ref' }],
};

function word(kind: string, { fillers, random }: Filling): string {
  return random.pick(fillers.words.get(kind) ?? []);
}

function other(filling: Filling): string {
  const { random, fillers } = filling;
  if (random.chance(0.25)) return random.pick(fillers.commands);
  return word('other', filling).replace('{wb}', bareWhen(random));
}

/** Some titles are commands of other assistants: the frame around a title decides, not its topic. */
function verb(filling: Filling): string {
  const { intent, random, fillers } = filling;
  if (intent !== 'unknown' && random.chance(0.2)) return other(filling);
  if (random.chance(0.25)) return random.pick(fillers.bases);
  return random.chance(0.15) ? composed(filling) : random.pick(fillers.verbs).base;
}

/** Any verb with any thing: odd at times, and new to the model nearly always. */
function composed({ fillers, random }: Filling): string {
  const [first = ''] = random.pick(fillers.verbs).base.split(' ');
  const thing = random.pick(fillers.nouns).replace(/^(?:the|my|a|an) /, '');
  return `${first} ${random.pick(['the ', 'my ', 'a ', '', 'some ', "Tom's "])}${thing}`;
}

function noun({ fillers, random }: Filling): string {
  return random.pick(fillers.nouns);
}

function anyTitle(filling: Filling): string {
  return filling.random.chance(0.6) ? verb(filling) : noun(filling);
}

/** Names an existing task by its whole title, in quotes, or by a noun with or without an article. */
function reference(filling: Filling, wholeShare: number): Segment[] {
  const { random } = filling;
  if (random.chance(wholeShare)) return [{ text: verb(filling), tag: 'ref' }];
  if (random.chance(0.06)) return quoted(anyTitle(filling), 'ref', random);
  if (random.chance(0.04)) return [{ text: word('people', filling), tag: 'ref' }];
  const text = noun(filling).replace(/^(?:the|my|a|an) /, '');
  const article = random.pick(['', '', 'the ', 'the ', 'my ']);
  const tail = article === 'the ' && random.chance(0.12) ? random.pick([' one', ' task', ' thing', ' reminder']) : '';
  return withRole([article, text, tail], 'ref');
}

function exception(filling: Filling): Segment[] {
  const { random } = filling;
  const kind = random.next();
  if (kind < 0.12) return withRole(['the ', random.pick(ORDINALS), random.pick([' one', ''])], 'except');
  if (kind < 0.2)
    return withRole(['the ', random.pick(['last two', 'first two', 'first three', 'last three']), ''], 'except');
  if (kind < 0.28) return withRole([random.pick(['number ', 'task ', '']), random.pick(NUMBERS), ''], 'except');
  if (kind < 0.4) return [{ text: verb(filling), tag: 'except' }];
  return reference(filling, 0).map(({ text, tag }) => ({ text, tag: tag === 'ref' ? 'except' : tag }));
}

function quoted(text: string, tag: WordTag, random: Random): Segment[] {
  const [open = '', close = ''] = random.pick([`""`, `''`, '“”', `""`]).split('');
  return withRole([open, text, close], tag);
}

function withRole([before = '', text = '', after = '']: string[], tag: WordTag): Segment[] {
  const parts: Segment[] = [
    { text: before, tag: 'none' },
    { text, tag },
    { text: after, tag: 'none' },
  ];
  return parts.filter((part) => part.text !== '');
}
