import type { Pattern } from './patterns.ts';
import { formsOf, type NamedSecret, type SecretForm } from './secret-forms.ts';

export interface RedactorOptions {
  /** Values that are hidden wherever they occur. */
  secrets?: readonly NamedSecret[];
  /** Shorter values are words like "1" or "dev"; hiding them would only make a text unreadable. */
  minChars?: number;
  /** In the order of their priority. */
  patterns?: readonly Pattern[];
  /** Hides the values of keys that name a secret, too. */
  hidesNamedKeys?: boolean;
  /** Replaces a secret; absent = its name in brackets. */
  placeholder?: string;
  /** Replaces the match of a pattern; absent = `[redacted]`. Equal matches of one pattern have the same number, from 1 on. */
  standIn?(pattern: string, number: number, match: string): string;
}

/** A place of a text that must not be shown. */
export interface Found {
  start: number;
  end: number;
  replacement: string;
}

/** Finds what must not be shown, and decides what takes its place. */
export interface Finder {
  /** The places in order. They never overlap. */
  find(text: string): Found[];
  /** Returns the replacement of a match of this pattern. */
  replacementOf(pattern: string, match: string): string;
  /** True if the end of a text may be the beginning of a secret. */
  isOpen(text: string): boolean;
  /** Maps each replacement to the hidden text. */
  originals: ReadonlyMap<string, string>;
  /** How many different values each pattern replaced. */
  counts(): ReadonlyMap<string, number>;
  /** The names of secrets that were found. */
  used(): ReadonlySet<string>;
}

export const HIDDEN = '[redacted]';
const MIN_CHARS = 4;
/** Placeholders of other redactors: a text that was redacted before stays as it is. */
const EARLIER = /\[(?:redacted|key-[0-9a-f]{8})\]/g;

export function createFinder({ patterns = [], placeholder, standIn, ...options }: RedactorOptions): Finder {
  const forms = formsOf(options.secrets ?? [], options.minChars ?? MIN_CHARS);
  const originals = new Map(forms.map((form) => [form.placeholder, form.original]));
  const numbers = new Map<string, Map<string, string>>();
  const names = new Map(forms.map((form) => [form.placeholder, form.name]));
  const used = new Set<string>();

  const replacementOf = (name: string, match: string): string => {
    // Without numbers nothing needs to be remembered; a server redacts without end.
    if (!standIn) return HIDDEN;
    const known = numbers.get(name) ?? new Map<string, string>();
    numbers.set(name, known);
    const found = known.get(match.toLowerCase()) ?? standIn(name, known.size + 1, match);
    known.set(match.toLowerCase(), found);
    if (!originals.has(found)) originals.set(found, match);
    return found;
  };

  const find = (text: string): Found[] => {
    const kept = findKept(text, originals);
    const isKept = (place: Place) => overlapsOf(kept, place).length > 0;
    const secrets = mergePlaces(forms.flatMap((form) => placesOf(text, form)).filter((place) => !isKept(place)));
    let found: Found[] = secrets.map(({ start, end, replacement }) => {
      used.add(names.get(replacement) ?? replacement);
      return { start, end, replacement: placeholder ?? replacement };
    });
    for (const { name, pattern, isMatch } of patterns) {
      const more: Found[] = [];
      for (const match of text.matchAll(pattern)) {
        const place = { start: match.index, end: match.index + match[0].length };
        if (match[0] === '' || isKept(place) || isMatch?.(match[0]) === false) continue;
        const overlaps = overlapsOf(found, place);
        if (overlaps.length === 0) more.push({ ...place, replacement: replacementOf(name, match[0]) });
        else if (name === 'key') widen(overlaps, place);
      }
      found = mergePlaces([...found, ...more]);
    }
    return found;
  };

  return {
    find,
    replacementOf,
    isOpen: (given) => forms.some((form) => endsInside(given, form.text)),
    originals,
    counts: () => new Map([...numbers].map(([name, values]) => [name, values.size])),
    used: () => used,
  };
}

interface Place {
  start: number;
  end: number;
}

function placesOf(text: string, form: Pick<SecretForm, 'text' | 'placeholder'>): Found[] {
  const places: Found[] = [];
  for (let start = text.indexOf(form.text); start >= 0; start = text.indexOf(form.text, start + 1)) {
    places.push({ start, end: start + form.text.length, replacement: form.placeholder });
  }
  return places;
}

/** Overlapping secrets become one place, so that no rest of one is left. The longest names it. */
function mergePlaces(places: readonly Found[]): Found[] {
  const merged: (Found & { longest: number })[] = [];
  for (const { start, end, replacement } of places.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (!last || start >= last.end) merged.push({ start, end, replacement, longest: end - start });
    else {
      if (end - start > last.longest) Object.assign(last, { replacement, longest: end - start });
      last.end = Math.max(last.end, end);
    }
  }
  return merged;
}

/** A token that contains a known secret is hidden whole, under the name of the secret. */
function widen([first]: readonly Found[], { start, end }: Place): void {
  if (!first) return;
  first.start = Math.min(first.start, start);
  first.end = Math.max(first.end, end);
}

/** The places that share a character with this one. The list is sorted, and its places share none with each other. */
function overlapsOf<T extends Place>(sorted: readonly T[], { start, end }: Place): T[] {
  let low = 0;
  for (let high = sorted.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle]?.end ?? 0) > start) high = middle;
    else low = middle + 1;
  }
  const overlaps: T[] = [];
  for (let place = sorted[low]; place && place.start < end; place = sorted[++low]) overlaps.push(place);
  return overlaps;
}

function findKept(text: string, originals: ReadonlyMap<string, string>): Place[] {
  const earlier = [...text.matchAll(EARLIER)].map((match) => place(match.index, match[0]));
  return mergePlaces([
    ...earlier,
    ...[...originals.keys()].flatMap((known) => placesOf(text, { text: known, placeholder: '' })),
  ]);
}

function place(start: number, text: string): Found {
  return { start, end: start + text.length, replacement: '' };
}

/** True if the text ends with a beginning of the form, but not with the whole of it. */
function endsInside(text: string, form: string): boolean {
  const last = text.at(-1);
  for (let length = Math.min(form.length - 1, text.length); length > 0; length--) {
    if (form[length - 1] === last && text.endsWith(form.slice(0, length))) return true;
  }
  return false;
}
