const IRREGULAR: Readonly<Record<string, string>> = {
  people: 'person',
  women: 'woman',
  men: 'man',
  children: 'child',
  shelves: 'shelf',
  scarves: 'scarf',
  losses: 'loss',
  series: 'series',
  jeans: 'jeans',
  status: 'status',
  address: 'address',
  sales: 'sales',
  returns: 'returns',
};
const SINGULAR_ENDING = /(?:ss|us|is|ics|wear)$/;

/** "categories" → "category", "boxes" → "box". Words that only look plural stay as they are. */
export function toSingular(word: string): string {
  const known = Object.hasOwn(IRREGULAR, word) ? IRREGULAR[word] : undefined;
  if (known !== undefined) return known;
  if (word.length < 4 || !word.endsWith('s') || SINGULAR_ENDING.test(word)) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

/** "category" → "categories"; of several words the last one changes. */
export function toPlural(noun: string): string {
  const irregular = Object.entries(IRREGULAR).find(([plural, singular]) => singular === noun && plural !== noun);
  if (irregular) return irregular[0];
  if (/(?:[^aeiou])y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  if (/(?:ss|sh|ch|x|z)$/.test(noun)) return `${noun}es`;
  return /s$/.test(noun) ? noun : `${noun}s`;
}
