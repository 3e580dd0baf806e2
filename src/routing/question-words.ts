import { rootOf } from '../builtin/words.ts';

/** One word of a question that may say what the question is about. */
export interface QuestionWord {
  text: string;
  /** Without endings, so that "abandoned" and "abandons" meet. */
  root: string;
  start: number;
  end: number;
}

/** Words that every question about data may hold, whatever it is about. */
const GENERAL: ReadonlySet<string> = new Set(
  (
    'a an the this that these those my our your his her their its it they them we us i me you he she who whom whose which ' +
    'what when where why how is are was were be been being am do does did done doing have has had having can could ' +
    'should would may might must shall will not no nor yes and or but if then than so as of in on at by to from for ' +
    'with within without about into over under between across per via during after before since until up down off ' +
    'there here all any some each every both either neither other others another same such only just also too very ' +
    'more most less least many much few several lot lots show list give get tell find see view display compare ' +
    'comparison analyze analyse calculate report describe explain provide please let want need like know look looking ' +
    'top bottom best worst highest lowest high low higher lower large largest small smallest big biggest main key ' +
    'current currently recent recently last past next now today yesterday tomorrow week weeks weekly month months ' +
    'monthly quarter quarters quarterly year years yearly day days daily date time times average mean median total ' +
    'overall sum count number numbers amount rate rates ratio percent percentage share figure figures level levels ' +
    'metric metrics data information details trend trends pattern patterns change changed changes changing differ ' +
    'different difference differences vary varies variation distribution performance perform performing happen ' +
    'happening make made making use used using go going come coming thing things something anything kind kinds type ' +
    'types way ways e g eg ie etc vs versus among out one two three four five six seven eight nine ten good bad new ' +
    'old ever still yet often frequently usually consistently first second third based affect affects affected ' +
    'affecting impact impacts correlate correlated correlation relate related cause causes because due lead leads ' +
    'match matches matching enough issue issues problem problems effective efficient well group groups people reason reasons risk risks likely slow slower slowly fast quick quickly'
  ).split(' '),
);

/** What can be measured of anything, and what anything can be broken down by. */
const SIDE_WORDS: ReadonlySet<string> = new Set(
  (
    'product products category categories item items frequency size value volume speed price cost quality timing brand ' +
    'status schedule process accuracy experience money region name customer shopper buyer client'
  )
    .split(' ')
    .map(rootOf),
);

const MAX_WORDS = 80;

export function isSideWord({ root }: QuestionWord): boolean {
  return SIDE_WORDS.has(root);
}

/** Examples in brackets, and "order up" as people say of sizes, do not say what a question is about. */
const ASIDES =
  /\((?:e\.?g\.?|i\.?e\.?|for example|such as|like)\b[^)]*\)|\border (?:up|down|one size|a size|half a size)\b/gi;

/** Some words mean something only together. */
const WORD =
  /\b(?:run|runs|running|ran) (?:out|low|short)\b|\bsold out\b|\btoo (?:much|many) of\b|[\p{L}\p{N}]+(?:['’][\p{L}]+)?/giu;

/** The words of a question that carry its subject, in order. */
export function readQuestionWords(text: string, most = MAX_WORDS): QuestionWord[] {
  const words: QuestionWord[] = [];
  const plain = text.replace(ASIDES, (aside) => ' '.repeat(aside.length));
  for (const match of plain.matchAll(WORD)) {
    const word = match[0].toLowerCase().replace(/['’].*$/, '');
    if (GENERAL.has(word) || word.length < 2 || /^\d+$/.test(word)) continue;
    const root = word.split(' ').map(rootOf).join(' ');
    words.push({ text: match[0], root, start: match.index, end: match.index + match[0].length });
    if (words.length >= most) break;
  }
  return words;
}
