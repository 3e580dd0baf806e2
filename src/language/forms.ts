/** A reading of the words at one place: their meaning, and the place after them. */
interface Found<T> {
  value: T;
  next: number;
}

/** All ways to read the words at a place. No way: the rule does not fit there. */
export type Rule<T> = (message: Message, at: number) => Found<T>[];

/** Words that a form leaves open, by the name of their place. */
export type Slots = Readonly<Record<string, string>>;

/** A message as words, each with its place in the text. Quoted text is one word. */
export interface Message {
  text: string;
  words: readonly { lower: string; start: number; end: number }[];
  /** Conditions on the words of a place, such as "a time and nothing else". */
  checks: Readonly<Record<string, (text: string) => boolean>>;
}

const WORD =
  /"[^"]*"|(?<![\p{L}\p{N}])'[^'\n]+'(?![\p{L}\p{N}])|(?:dr|mr|mrs|ms|st|prof|no)\.(?=\s)|'(?:s|re|ve)\b|(?:[^\s"'.,;:!?]|[.,:](?=\p{N})|(?!'(?:s|re|ve)\b)[.'](?=\p{L}))+|[.,;:!?']/giu;

export function toMessage(text: string, checks: Message['checks'] = {}): Message {
  const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    lower: word.toLowerCase(),
    start: index,
    end: index + word.length,
  }));
  return { text, words, checks };
}

/** Reads one rule after the other and joins what they say. */
function sequence(...rules: readonly Rule<Slots>[]): Rule<Slots> {
  return (message, at) =>
    rules.reduce<Found<Slots>[]>(
      (ways, rule) =>
        ways.flatMap(({ value, next }) =>
          rule(message, next).map((found) => ({ value: { ...value, ...found.value }, next: found.next })),
        ),
      [{ value: {}, next: at }],
    );
}

function either<T>(...rules: readonly Rule<T>[]): Rule<T> {
  return (message, at) => rules.flatMap((rule) => rule(message, at));
}

function maybe(rule: Rule<Slots>): Rule<Slots> {
  return either(rule, (_, at) => [{ value: {}, next: at }]);
}

function say(word: string): Rule<Slots> {
  return ({ words }, at) => (words[at]?.lower === word ? [{ value: {}, next: at + 1 }] : []);
}

/** A run of words, up to the end of a sentence, without a comma at its edges. */
function open(name: string): Rule<Slots> {
  return ({ text, words, checks }, at) => {
    const ways: Found<Slots>[] = [];
    for (let next = at; next < words.length && !/^[.;!?]$/.test(words[next]?.lower ?? ''); next++) {
      if (words[at]?.lower === ',' || words[next]?.lower === ',') continue;
      const said = text.slice(words[at]?.start, words[next]?.end);
      if (checks[name]?.(said) !== false) ways.push({ value: { [name]: said }, next: next + 1 });
    }
    return ways;
  };
}

const PARTS = /[()[\]|]|<\w+>|[^\s()[\]|<>]+/g;

/**
 * Plain English as a rule: words, `(a|b c)` for alternatives, `[a]` for what may be left out, `<name>` for open words.
 * A shape of `(`, `)` and `|` is read from left to right, so the first way of an alternative is preferred.
 */
export function form(notation: string): Rule<Slots> {
  const parts = notation.match(PARTS) ?? [];
  let at = 0;
  const alternatives = (): Rule<Slots> => {
    const ways = [series()];
    while (parts[at] === '|') {
      at++;
      ways.push(series());
    }
    return ways.length === 1 && ways[0] ? ways[0] : either(...ways);
  };
  const series = (): Rule<Slots> => {
    const rules: Rule<Slots>[] = [];
    for (let part = parts[at]; part !== undefined && !/^[)\]|]$/.test(part); part = parts[at]) {
      at++;
      if (part === '(' || part === '[') {
        const inner = alternatives();
        at++;
        rules.push(part === '(' ? inner : maybe(inner));
      } else if (part.startsWith('<')) rules.push(open(part.slice(1, -1)));
      else rules.push(...toMessage(part).words.map(({ lower }) => say(lower)));
    }
    return sequence(...rules);
  };
  return alternatives();
}

/** The first way in which a form reads the whole message. */
export function readForm(rule: Rule<Slots>, message: Message): Slots | undefined {
  return rule(message, 0).find(({ next }) => next === message.words.length)?.value;
}
