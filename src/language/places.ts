import table from './tables/places.json' with { type: 'json' };

/** A city or country that a text names. */
export interface Place {
  at: number;
  length: number;
  /** The city's full name, spelled as usual. */
  city: string;
  /** The region that the text itself has: "Novato, CA". */
  said?: string;
  /** The state's two letters and the country, as far as they are known. */
  state?: string;
  country?: string;
}

interface City {
  name: string;
  state?: string;
  country?: string;
}

const STATE_OF = new Map<string, string>();
const CITIES = new Map<string, City>();
/** Names of countries in lower case. */
const COUNTRIES = new Set<string>();
/** Short and pet names of cities. */
const NICKNAMES = new Map(Object.entries(table.nicknames));
readTables();
const LONGEST = 4;

function readTables(): void {
  for (const line of table.states) {
    const [, code = '', name = '', cities = ''] = /^(\w\w) ([^:]+):\s*(.*)$/.exec(line) ?? [];
    STATE_OF.set(code.toLowerCase(), code).set(name.toLowerCase(), code);
    addCities(cities, { state: code });
  }
  for (const line of table.countries) {
    const [, names = '', cities = ''] = /^\w\w ([^:]+):\s*(.*)$/.exec(line) ?? [];
    const all = names.split(', ');
    for (const name of all) COUNTRIES.add(name.toLowerCase());
    addCities(cities, { country: all[0] ?? '' });
  }
}

/** Namesakes keep the first state and the first country. */
function addCities(list: string, region: Omit<City, 'name'>): void {
  for (const name of list.split(', ').filter((one) => one !== '')) {
    CITIES.set(name.toLowerCase(), { name, ...region, ...CITIES.get(name.toLowerCase()) });
  }
}

const WORD = /[A-Za-z.À-ỹ'-]+/g;
const LED = /\b(?:in|to|from|at|near|for|around|of|the|visit|is)\s+(?:the\s+)?$/i;

/** Cities that the text names, known ones only, each with the region that follows it. */
export function findPlaces(text: string): Place[] {
  const words = [...text.matchAll(WORD)];
  const found: Place[] = [];
  for (let index = 0; index < words.length; index++) {
    const place = placeAt(text, words, index);
    if (!place) continue;
    found.push(place);
    while (index + 1 < words.length && (words[index + 1]?.index ?? 0) < place.at + place.length) index += 1;
  }
  return found;
}

function placeAt(text: string, words: readonly RegExpExecArray[], index: number): Place | undefined {
  const at = words[index]?.index ?? 0;
  for (let count = Math.min(LONGEST, words.length - index); count > 0; count--) {
    const last = words[index + count - 1];
    const end = (last?.index ?? 0) + (last?.[0].replace(/\.$/, '').length ?? 0);
    const name = text.slice(at, end);
    const city = cityOf(name);
    if (!city || !isMeant(text, at, name)) continue;
    const said = regionAfter(text.slice(end));
    const { name: full, ...known } = city;
    return { at, length: end - at + (said?.length ?? 0), city: full, ...known, ...(said && { said: said.region }) };
  }
  return undefined;
}

function cityOf(name: string): City | undefined {
  const key = name.toLowerCase().replace(/\s+/g, ' ');
  return CITIES.get(NICKNAMES.get(key)?.toLowerCase() ?? key);
}

/** Many cities share their name with a plain word; a small letter counts only after "in" or for two words. */
function isMeant(text: string, at: number, name: string): boolean {
  if (/^[A-Z]/.test(name)) return name.length > 3 || LED.test(text.slice(0, at));
  return LED.test(text.slice(0, at)) && name.length > 3;
}

function regionAfter(rest: string): { region: string; length: number } | undefined {
  const match = /^(,\s*|\s+(?:in (?:the )?)?)([A-Z]{2}\b|[A-Z][a-z]+(?: (?:of )?[A-Z][a-z]+)*)/.exec(rest);
  if (!match) return undefined;
  const [all, , word = ''] = match;
  const region = STATE_OF.get(word.toLowerCase()) ?? (COUNTRIES.has(word.toLowerCase()) ? word : undefined);
  return region === undefined ? undefined : { region, length: all.length };
}
