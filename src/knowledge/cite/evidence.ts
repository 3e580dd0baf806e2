import { STOP_WORDS } from '../../language/filler-words.ts';
import { isSameBeginning } from '../../language/words.ts';
import type { Passage } from '../knowledge.ts';
import { findRoles } from './entities.ts';
import { findNames, fold, stemsOf, toWords } from './names.ts';
import { splitPlaces, type TextPlace, withoutLinks } from './places.ts';
import { type Amount, findAmounts } from './quantities.ts';

/** The text that a sentence is held against. */
export type EvidenceText = Pick<Passage, 'title' | 'breadcrumb' | 'text'>;

/** A passage, read once for all sentences that cite it. */
export interface Evidence {
  folded: string;
  stems: ReadonlySet<string>;
  amounts: readonly Amount[];
  /** Words that have a capital letter wherever they stand, in lower case. */
  names: ReadonlySet<string>;
  /** Everything that the passage counts. */
  units: ReadonlySet<string>;
  /** Its sentences, items, rows and cells. */
  places: readonly Place[];
}

/** A place that states facts: what it says itself, and what its headings add. */
export interface Place {
  text: string;
  stems: ReadonlySet<string>;
  /** Stems of the headings, of the title, and of the line above a list. */
  around: ReadonlySet<string>;
  amounts: readonly Amount[];
  names: readonly string[];
  roles: readonly string[];
  /** The stems of the row's label, for a row or cell. */
  label: readonly string[];
  /** The names of the columns of a whole row, in lower case: a cell says more about one of them. */
  columns: readonly string[];
  kind: TextPlace['kind'];
  isNegated: boolean;
  segments: readonly Segment[];
}

/** A part of a place between commas. */
interface Segment {
  amounts: readonly Amount[];
  names: readonly string[];
}

export function readEvidence({ title, breadcrumb, text }: EvidenceText): Evidence {
  const head = [title, ...breadcrumb].join('\n');
  const whole = `${head}\n${text}`;
  const words = toWords(whole);
  const split = splitPlaces(text);
  const inner = split.flatMap((place) => findNames(place.text)).filter(({ isFirst }) => !isFirst);
  const names = new Set([...inner.map((name) => name.text.toLowerCase()), ...cellNames(split)]);
  const places = split.flatMap((place) => [place, ...cellPlaces(place)]).map((place) => readPlace(place, head, names));
  const amounts = [...findAmounts(head), ...places.flatMap((place) => place.amounts)];
  return {
    folded: `${fold(whole)}\n${fold(withoutLinks(whole))}`,
    stems: new Set(words.flatMap(stemsOf)),
    amounts,
    units: new Set(amounts.map(({ unit }) => unit)),
    names: new Set([...names, ...alwaysCapital(split, words)]),
    places,
  };
}

/** Words that open a sentence and have a small letter nowhere: they may be names. */
function alwaysCapital(places: readonly TextPlace[], words: readonly string[]): string[] {
  const small = new Set(words.filter((word) => /^\p{Ll}/u.test(word)));
  const firsts = places.flatMap((place) => findNames(place.text)).map(({ text }) => text.toLowerCase());
  return firsts.filter((name) => name.length > 3 && !small.has(name) && !STOP_WORDS.has(name));
}

/** A single capital word that fills a cell is a name, such as a town. */
function cellNames(places: readonly TextPlace[]): string[] {
  const cells = places.flatMap((place) => place.cells.flatMap(({ column, value }) => [column, value]));
  return cells.filter((cell) => /^\p{Lu}[\p{L}-]+$/u.test(cell)).map((cell) => cell.toLowerCase());
}

/** Each cell of a row states a fact of its own, with the label of its row and the name of its column. */
function cellPlaces({ cells, context }: TextPlace): TextPlace[] {
  const [label, ...rest] = cells;
  if (!label || rest.length < 2) return [];
  return rest.map((cell) => ({
    text: `${cell.column}: ${cell.value}`,
    context: `${context} ${label.column}`,
    kind: 'row' as const,
    cells: [label, cell],
  }));
}

const NEGATION =
  /\b(?:not|never|nobody|none|cannot|no(?! (?:more|less|later|earlier|fewer|larger|longer)\b))\b|n['’]t\b/i;

export function isNegated(text: string): boolean {
  return NEGATION.test(text);
}

function readPlace({ text, context, cells, kind }: TextPlace, head: string, known: ReadonlySet<string>): Place {
  const label = cells.length === 2 ? (cells[0]?.value ?? '') : '';
  const own = label && !text.includes(label) ? `${label} · ${text}` : text;
  const capitals = findNames(own).filter(({ text: name, isFirst }) => !isFirst || known.has(name.toLowerCase()));
  return {
    text: own,
    stems: readStems(own),
    around: readStems(`${head} ${context}`),
    // Numbers of the title and of the page hold for every place.
    amounts: [...findAmounts(own), ...findAmounts(head).map((amount) => ({ ...amount, isOfHead: true as const }))],
    names: capitals.map(({ text: name }) => name),
    roles: findRoles(own),
    label: cells[0] ? [...readStems(cells[0].value)] : [],
    columns: cells.length > 2 ? cells.map(({ column }) => column.toLowerCase()) : [],
    kind,
    isNegated: isNegated(own),
    segments: own.split(/[,;·]\s+|\s(?:and|while|but)\s(?=[^,;]*\d)/).map((part) => ({
      amounts: findAmounts(part),
      names: capitals.map(({ text: name }) => name).filter((name) => part.includes(name)),
    })),
  };
}

/** True if the text has the word in any form. */
export function hasWord({ stems }: Evidence, word: string): boolean {
  return stemsOf(word).some((one) => hasStem(stems, one));
}

export function readStems(text: string): ReadonlySet<string> {
  return new Set(toWords(text).flatMap(stemsOf));
}

export function hasStem(stems: ReadonlySet<string>, wanted: string): boolean {
  if (stems.has(wanted)) return true;
  for (const one of stems) if (isSameBeginning(one, wanted)) return true;
  return false;
}
