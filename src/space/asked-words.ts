import { isSameBeginning, rootOf } from '../builtin/words.ts';

/** One word of a question, as it stands there. */
export interface AskedWord {
  text: string;
  /** In lower case. */
  word: string;
  /** Without endings. */
  root: string;
  start: number;
  end: number;
}

/** Words that ask, point, count, measure or bind, and so narrow nothing down. */
const FILLER = listOf(
  'a an the this that these those my our your his her their its it they them we us i me you he she who whom ' +
    'whose which what when where why how is are was were be been being am do does did done doing have has had ' +
    'having can could should would may might must shall will yes and or but if then than so as of in on at by to ' +
    'from for with within about into over under between across per via during after before since until up down ' +
    'off out through toward towards around upon onto along like there here all any some each every both either ' +
    'neither other others another same such only just also too very really actually exactly simply even quite ' +
    'rather ever still yet already again more less many much few several lot lots plenty enough one ones tell ' +
    'show list give get gets got find see view display analyze analyse calculate compute report describe explain ' +
    'provide please let lets want wants need needs know look looks looking check summarize summarise summary ' +
    'overview breakdown break broken identify name pull run bring put take takes taken keep hey hi hello thanks ' +
    'thank ok okay well now currently current right today moment recent recently lately latest present usually ' +
    'typically generally often frequently always regularly mostly mainly mean means total totals overall whole ' +
    'entire altogether together sum count counts number numbers amount amounts quantity rate rates ratio percent ' +
    'percentage proportion share shares figure figures level levels metric metrics data information info details ' +
    'detail kind kinds type types sort sorts sorted ranked way ways thing things something anything stuff case ' +
    'cases fact e g eg ie etc big bigger great good bad strong likely possible actual main major key important ' +
    'common happen happens happened happening make makes made making use used using go goes going gone went come ' +
    'comes coming came say says said saying exist seem seems appear become becomes stand state status situation ' +
    'work works working perform performs performing performance affect affects affected affecting impact impacts ' +
    'influence relate related relation relationship correlate correlated correlation cause causes caused because ' +
    'due lead leads based issue issues problem problems company business think mention mentions talk discuss feel ' +
    'felt perceive perceived consider considered regard seen notice express word words hold holds carry carries ' +
    'own higher lower better worse hardest harder easily easy last past previous behind idea split write wrote ' +
    'written money wonder wondering curious interested interesting understand learn hear ask asking question ' +
    'answer roughly approximately almost nearly quickly briefly brief short table chart graph plot sheet help ' +
    'maybe perhaps sure ago far kindly able whether while though however among amongst cent worth place placed receive ' +
    'received try trying drive drives leave leaves leaving stop stops stopped contact contacting frequent valuable',
);
/** Words for one and the same: who buys, and what is bought. */
const GENERIC = [
  'customer shopper buyer client consumer people person folk user member reviewer',
  'product item good article sku piece merchandise',
].map((words) => listOf(words, rootOf));
const HIGH = listOf('most best top highest largest biggest greatest fastest strongest leading longest');
const LOW = listOf('least worst bottom lowest smallest fewest slowest weakest poorest shortest lagging');
const NEGATION = listOf(
  'not no never without excluding exclude except besides non neither nor nobody none isnt arent wasnt werent dont doesnt ' +
    'didnt havent hasnt cant wont lack lacks lacking',
);
const COMPARISON = listOf(
  'compare compares compared comparing comparison versus vs differ differs different difference differences vary varies ' +
    'variation relative against contrast',
);
const TREND = listOf(
  'trend trends trending change changes changed changing grow grows grew grown growing growth increase increases ' +
    'increased increasing decrease decreases decreased decreasing rise rises rising rose decline declines declined ' +
    'declining develop development developed evolve evolved evolution progress history',
);
const UNITS = listOf(
  'day days daily week weeks weekly month months monthly quarter quarters quarterly season seasons year years yearly ' +
    'annual annually hour hours hourly weekend weekends weekday weekdays decade decades fortnight',
);
const DATES = listOf(
  'january february march april june july august september october november december jan feb mar apr jun jul aug sep ' +
    'sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays ' +
    'fridays saturdays sundays spring summer autumn fall winter yesterday tonight morning evening afternoon night ytd ' +
    'q1 q2 q3 q4 h1 h2',
);
const NUMBERS = listOf(
  'two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty hundred thousand ' +
    'million half dozen twice',
);
const NEARNESS = listOf('last past previous prior this current next coming first same');

export type WordKind =
  | 'filler'
  | 'high'
  | 'low'
  | 'negation'
  | 'comparison'
  | 'trend'
  | 'unit'
  | 'date'
  | 'number'
  | 'content';

/** What a word does in a question, whatever the question is about. */
export function kindOf({ word, text, start }: AskedWord): WordKind {
  const plain = word.replace(/['’]/g, '');
  if (/^\d/.test(plain) || NUMBERS.has(plain)) return 'number';
  if (HIGH.has(plain)) return 'high';
  if (LOW.has(plain)) return 'low';
  if (NEGATION.has(plain)) return 'negation';
  if (COMPARISON.has(plain)) return 'comparison';
  if (UNITS.has(plain)) return 'unit';
  if (DATES.has(plain) || (text === 'May' && start > 0)) return 'date';
  if (TREND.has(plain)) return 'trend';
  return isFiller(plain) ? 'filler' : 'content';
}

/** Also "shows" and "asked"; but "theme" is no "them". */
function isFiller(plain: string): boolean {
  const root = rootOf(plain);
  return FILLER.has(plain) || plain.length < 2 || (FILLER.has(root) && !/^es?$/.test(plain.slice(root.length)));
}

/** Whether a word says what a question is about, and not only how or of whom it is asked. */
export function isSubject(word: string): boolean {
  const [read] = readAskedWords(word);
  return read !== undefined && kindOf(read) === 'content' && otherNamesOf(read.root).size === 0;
}

/** Whether a word sets one span of time apart from others: "last", "this". */
export function isNearness({ word }: AskedWord): boolean {
  return NEARNESS.has(word);
}

export function readAskedWords(text: string): AskedWord[] {
  return [...text.matchAll(/[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu)].map((match) => {
    const word = match[0].toLowerCase().replace(/['’](?:s|re|d|ve|ll|m)$/, '');
    return { text: match[0], word, root: rootOf(word), start: match.index, end: match.index + match[0].length };
  });
}

/** The other names of what a word names, where everyone has several for it. */
export function otherNamesOf(root: string): ReadonlySet<string> {
  return GENERIC.find((names) => names.has(root)) ?? new Set();
}

/** Whether a root is among others, or begins like one of them that says something: "country" is no "count". */
export function isAmong(root: string, others: ReadonlySet<string>): boolean {
  return others.has(root) || [...others].some((other) => !FILLER.has(other) && isSameBeginning(root, other));
}

function listOf(words: string, form = (word: string) => word): ReadonlySet<string> {
  return new Set(words.split(' ').map(form));
}
