import { isObject, type Json, type JsonObject } from '../schema/json.ts';
import type { Found } from './finder.ts';
import type { Redactor } from './redactor.ts';

/** A text at one place of one value of a series. */
interface Fragment {
  text: string;
  /** The index of its value. */
  index: number;
  set(text: string): void;
}

/** A piece of a text comes at most this many values after the piece before it. */
const MAX_GAP = 16;

/**
 * Redacts values that follow each other, such as the chunks of a reply. Texts at the same place of several values count as one
 * text, so a secret that was cut by a chunk boundary is found. Its placeholder stands where the secret begins.
 */
export function redactSeries(values: readonly Json[], redactor: Redactor): Json[] {
  const copies = structuredClone([...values]);
  for (const fragments of collect(copies).values()) {
    const places = redactor.find(fragments.map(({ text }) => text).join(''));
    if (fragments.length > 1 && places.length > 0) rewrite(fragments, places);
  }
  return copies.map((value) => redactor.json(value));
}

/** True if a secret may continue in the next value of the series. */
export function isSeriesOpen(values: readonly Json[], redactor: Redactor): boolean {
  return [...collect([...values]).values()].some((fragments) => {
    const last = fragments.at(-1);
    if (!last || last.index < values.length - MAX_GAP) return false;
    // A value that is the same in every chunk, such as a name of the format, is no text in pieces.
    if (fragments.length > 1 && fragments.every(({ text }) => text === last.text)) return false;
    return redactor.isOpen(fragments.map(({ text }) => text).join(''));
  });
}

/** The texts of all values by their place; `type` and `index` of the objects around them belong to the place. */
function collect(values: Json[]): Map<string, Fragment[]> {
  const found = new Map<string, Fragment[]>();
  const visit = (owner: Json[] | JsonObject, key: string | number, place: string, index: number): void => {
    const value = (owner as Record<string | number, Json>)[key]; // a list has its indexes as keys
    if (typeof value === 'string') {
      const set = (text: string) => Object.assign(owner, { [key]: text });
      const known = found.get(place);
      if (known) known.push({ text: value, index, set });
      else found.set(place, [{ text: value, index, set }]);
    } else if (Array.isArray(value)) {
      for (const at of value.keys()) visit(value, at, `${place}/${at}`, index);
    } else if (isObject(value)) {
      const kind = `${place}(${[value.type, value.index].filter((one) => one !== undefined).join()})`;
      for (const name of Object.keys(value)) visit(value, name, `${kind}/${name}`, index);
    }
  };
  for (const index of values.keys()) visit(values, index, '', index);
  return found;
}

function rewrite(fragments: readonly Fragment[], places: readonly Found[]): void {
  let from = 0;
  for (const { text, set } of fragments) {
    const to = from + text.length;
    let clean = '';
    let at = from;
    for (const { start, end, replacement } of places.filter((place) => place.start < to && from < place.end)) {
      clean += text.slice(at - from, Math.max(start, from) - from);
      if (start >= from) clean += replacement;
      at = Math.min(end, to);
    }
    set(clean + text.slice(at - from));
    from = to;
  }
}
