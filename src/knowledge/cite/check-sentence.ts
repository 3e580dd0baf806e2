import { DOCUMENT_FILLER, SPOKEN_FILLER } from '../../language/filler-words.ts';
import { stem } from '../../language/words.ts';
import { findRoles, isSameRole } from './entities.ts';
import { type Evidence, hasStem, hasWord, isNegated, type Place, readStems } from './evidence.ts';
import { findNames, findQuotes, fold, type NameMention, stemsOf, TALK, toWords } from './names.ts';
import { type Amount, findAmounts, findPeriods, isCurrency, isMeasure, isSameAmount } from './quantities.ts';

/** How a sentence stands to the passages that it cites. */
export interface Support {
  /** The share of its content words, numbers and names that the passages have, 0 to 1. */
  overlap: number;
  /** Why it is not supported; absent if it is. */
  reason?: string;
}

/** Below this share of known words, numbers and names, a sentence is about something else. */
const LEAST_OVERLAP = 0.45;
/** With fewer of them, the share says nothing. */
const LEAST_WORDS = 3;

/** Holds the words of a sentence against the passages that it cites: its quotations, numbers, names, then its subject. */
export function checkSentence(words: string, evidence: readonly Evidence[]): Support {
  const claim = readClaim(words, evidence);
  const { overlap, isOther } = shareIn(claim, evidence);
  const reason =
    findWrongQuote(words, evidence) ??
    findUnknown(claim, evidence) ??
    findContradiction(claim, evidence) ??
    (isOther ? 'the cited passage is about something else' : undefined);
  return { overlap, ...(reason !== undefined && { reason }) };
}

/** The share of the words and facts of a sentence that the passages have. */
function shareIn({ content, amounts, names, units }: Claim, evidence: readonly Evidence[]) {
  const found = [
    ...content.map((word) => evidence.some(({ stems }) => hasStem(stems, word))),
    ...names.map(({ text }) => evidence.some((one) => hasWord(one, text))),
    ...amounts.map((own) => evidence.some((one) => one.amounts.some((amount) => agrees(own, amount, units)))),
  ];
  const share = found.length === 0 ? 1 : found.filter(Boolean).length / found.length;
  return { overlap: share, isOther: found.length >= LEAST_WORDS && share < LEAST_OVERLAP };
}

/** Without a full stop or a verb, fewer words are a heading. */
const STATEMENT_WORDS = 4;
const VERB = /[.!;]["”’)]*$|\b(?:is|are|was|has|have|gets?|can|may|must|will|not|never)\b/i;
const QUESTION = /(?<!,\s(?:\w+\s)?\w+)\?$/;
const LOOK = '(?:look|check|search|explain|help|show|list|clarify|compare|summari[sz]e|go through)';
/** Offers, courtesy, lead-ins, and what the documents do not say. */
const ASIDE = new RegExp(
  [
    String.raw`[?:]$|^(?:let me|feel free|would you like|i hope|here (?:is|are)|i am not sure|i(?:['’]m| am| would be)? (?:happy|glad))\b`,
    String.raw`^(?:if you (?:need|want|have|would like)\b.*[, ])?(?:i(?:['’]ll| can| could| will) (?:also |gladly )?${LOOK}|(?:please |just )?(?:ask|let me|contact|see|refer to|consult))\b`,
    String.raw`^(?:i|we) (?:could not|couldn['’]t|cannot|can['’]t|did not|didn['’]t) (?:find|see|say|answer|confirm)\b`,
    String.raw`\b(?:do|does|did)(?: not|n['’]t) (?:say|mention|cover|state|specify|include|contain|answer|describe|list)\b`,
  ].join('|'),
  'i',
);
const COURTESY = new Set(
  [...TALK, ...'hope happy detail details further information summary note short'.split(' ')].map(stem),
);

/** True for a sentence that says something about the world, if it has so many words of its own. */
export function isStatement(words: string, leastWords: number): boolean {
  if (QUESTION.test(words)) return false;
  const amounts = findAmounts(words);
  if (ASIDE.test(words)) return amounts.some(isMeasure) || findQuotes(words).length > 0;
  const names = findNames(words);
  const content = contentOf(words, amounts, names).filter((one) => !COURTESY.has(one));
  const count = content.length + names.filter(({ isFirst }) => !isFirst).length;
  return amounts.length > 0 || count >= (VERB.test(words) ? leastWords : STATEMENT_WORDS);
}

/** The parts of a sentence that can be wrong. */
interface Claim {
  text: string;
  amounts: readonly Amount[];
  names: readonly NameMention[];
  roles: readonly string[];
  content: readonly string[];
  stems: ReadonlySet<string>;
  /** The things that the passages count. */
  units: ReadonlySet<string>;
}

function readClaim(text: string, evidence: readonly Evidence[]): Claim {
  const all = findNames(text);
  const names = all.filter(
    ({ text: name, isFirst }) =>
      (!isFirst || evidence.some((one) => one.names.has(name.toLowerCase()))) &&
      (!SHORT.test(name) || evidence.some((one) => hasWord(one, name))),
  );
  const isOneOf = ({ text: written, unit }: Amount) =>
    (!/^(?:one|once|half)$/i.test(written) && !/\band a half\b/i.test(text)) ||
    evidence.some((one) => one.amounts.some((amount) => amount.unit === unit && !amount.isOfHead));
  const amounts = findAmounts(text).filter(
    (amount) => isOneOf(amount) && !(amount.unit === 'th' && amount.value < 3 && !/\d/.test(amount.text)),
  );
  return {
    text,
    amounts,
    names,
    roles: findRoles(text),
    content: contentOf(text, amounts, all),
    stems: readStems(text),
    units: new Set(evidence.flatMap((one) => [...one.units])),
  };
}

/** Letters that are short for words, which a passage may write out: CO2, ID. One that it does not have proves nothing. */
const SHORT = /^\p{Lu}{2,4}\d?s?$/u;

/** Stems of the words that carry meaning, without numbers and names. */
function contentOf(text: string, amounts: readonly Amount[], names: readonly NameMention[]): string[] {
  const numbers = new Set(amounts.flatMap(({ text: written }) => written.toLowerCase().split(/[\s-]/)));
  const named = new Set(names.filter(({ isFirst }) => !isFirst).map(({ text: name }) => name.toLowerCase()));
  const isContent = (word: string) =>
    word.length > 2 && !DOCUMENT_FILLER.has(word) && !SPOKEN_FILLER.has(word) && !numbers.has(word) && !named.has(word);
  const words = toWords(text).flatMap((word) => word.toLowerCase().split(/[-’']/));
  return [...new Set(words.filter((word) => isContent(word) && !/^\d/.test(word)).map(stem))];
}

function share(content: readonly string[], isKnown: (stem: string) => boolean): number {
  return content.length === 0 ? 1 : content.filter(isKnown).length / content.length;
}

function findWrongQuote(words: string, evidence: readonly Evidence[]): string | undefined {
  const wrong = findQuotes(words).find((quote) => !evidence.some(({ folded }) => folded.includes(fold(quote))));
  return wrong === undefined ? undefined : missing(`“${wrong}”`);
}

const missing = (text: string) => `${text} is not in the cited passage`;
const notHere = (text: string) => `the cited passage does not say ${text} here`;

/** A number or name that stands nowhere in the passages. */
function findUnknown({ amounts, names, units }: Claim, evidence: readonly Evidence[]): string | undefined {
  const known = evidence.flatMap((one) => one.amounts);
  const amount = amounts.find((own) => !known.some((one) => agrees(own, one, units)));
  const hasNumber = known.some(({ value }) => value === amount?.value);
  if (amount) return hasNumber ? notHere(amount.text) : missing(amount.text);
  const name = names.find(({ text }) => !evidence.some((one) => hasWord(one, text)));
  return name && missing(name.text);
}

/** The place of the passages that the sentence is about says another number, name or office. */
function findContradiction(claim: Claim, evidence: readonly Evidence[]): string | undefined {
  const places = evidence.flatMap((one) => one.places);
  const best = findPlace(claim, places);
  if (!best) return undefined;
  const amount = claim.amounts.find((own) => !hasAmount(best, own, claim) && isRivalled(own, best, claim));
  if (amount) return notHere(amount.text);
  const isNamed = ({ text }: NameMention) =>
    hasName(best, text) || !evidence.some(({ stems }) => stemsOf(text).some((one) => stems.has(one)));
  const name = hasRivalName(best, claim) ? claim.names.find((one) => !isNamed(one)) : undefined;
  if (name) return `the cited passage does not say this about ${name.text}`;
  const isOffice = (own: string) => best.roles.some((one) => isSameRole(own, one));
  const role = hasRivalRole(best, claim) ? claim.roles.find((own) => !isOffice(own)) : undefined;
  if (role) return `the cited passage names another office than ${role}`;
  return (
    findOtherPeriod(claim, best) ??
    findOtherRow(claim, best, places) ??
    findWrongPair(claim, best) ??
    findOpposite(claim, best)
  );
}

/** The same number, of another period: "25 days a month" for "25 days a year". */
function findOtherPeriod(claim: Claim, best: Place): string | undefined {
  const [own, theirs] = [findPeriods(claim.text), findPeriods(best.text)];
  if (own.length === 0 || theirs.length === 0 || own.some((period) => theirs.includes(period))) return undefined;
  return claim.amounts.some((amount) => hasAmount(best, amount, claim)) ? notHere(`per ${own[0]}`) : undefined;
}

/** Facts decide more than words about the place that a sentence is about. */
const NUMBER_WEIGHT = 2;
const NAME_WEIGHT = 1.5;
const LEAST_SHARED = 2;

function findPlace(claim: Claim, places: readonly Place[]): Place | undefined {
  const isOfColumn = ({ columns }: Place) => claim.names.some(({ text }) => columns.includes(text.toLowerCase()));
  const rated = places
    .filter((place) => !isOfColumn(place))
    .map((place) => ({ place, points: ratePlace(claim, place) }));
  const [best] = rated.sort((a, b) => b.points - a.points || a.place.text.length - b.place.text.length);
  return best && best.points >= LEAST_SHARED ? best.place : undefined;
}

function ratePlace({ amounts, names, roles, content, units }: Claim, place: Place): number {
  const numbers = amounts.filter((own) => hasAmount(place, own, { units })).length;
  const named = names.filter(({ text }) => hasName(place, text)).length;
  const offices = roles.filter((own) => place.roles.some((one) => isSameRole(own, one))).length;
  const words = content.filter((one) => hasStem(place.stems, one)).length;
  const around = content.filter((one) => hasStem(place.around, one) && !hasStem(place.stems, one)).length;
  return numbers * NUMBER_WEIGHT + (named + offices) * NAME_WEIGHT + words + around / 2;
}

function hasAmount(place: Place, own: Amount, { units }: Pick<Claim, 'units'>): boolean {
  return place.amounts.some((one) => agrees(own, one, units));
}

/** The same number of the same thing. A thing that the passages do not count may be another word for one of theirs. */
function agrees(own: Amount, one: Amount, units: ReadonlySet<string>): boolean {
  if (!isSameAmount(own, one)) return false;
  return own.unit === one.unit || own.unit === '' || one.unit === '' || own.value !== one.value || !units.has(own.unit);
}

function hasName(place: Place, name: string): boolean {
  return stemsOf(name).some((one) => place.stems.has(one) || place.around.has(one));
}

/** The place counts the same thing by numbers that the sentence does not mention. */
function isRivalled(own: Amount, place: Place, { amounts }: Claim): boolean {
  const isSameKind = (one: Amount) => one.unit === own.unit || (isCurrency(one) && isCurrency(own));
  const rivals = place.amounts.filter((one) => !one.isOfHead && isSameKind(one));
  return rivals.some((one) => !amounts.some((amount) => isSameAmount(amount, one)));
}

function hasRivalName(place: Place, { stems }: Claim): boolean {
  return place.names.some((name) => !stemsOf(name).some((one) => hasStem(stems, one)));
}

function hasRivalRole(place: Place, { roles }: Claim): boolean {
  return place.roles.some((one) => !roles.some((own) => isSameRole(own, one)));
}

/** The sentence names the label of another row of the table, and not that of the row whose facts it repeats. */
function findOtherRow({ stems }: Claim, best: Place, places: readonly Place[]): string | undefined {
  if (best.label.length === 0) return undefined;
  const isNamed = (label: readonly string[]) => label.length > 0 && label.every((one) => stems.has(one));
  if (best.label.some((one) => stems.has(one))) return undefined;
  const other = places.find(
    (place) => place !== best && isNamed(place.label) && place.label.join() !== best.label.join(),
  );
  return other && 'the cited passage says this about another row of the table';
}

/** "112 in Gothenburg, 999 in Leeds": a number and a name that stand in one place, but not together. */
function findWrongPair({ amounts, names, stems }: Claim, { segments, kind }: Place): string | undefined {
  if (segments.length < 2 || kind === 'row') return undefined;
  const isMentioned = (one: Amount) => amounts.some((own) => isSameAmount(own, one));
  for (const { text } of names) {
    const ofName = segments.filter((segment) => segment.names.includes(text));
    for (const own of amounts) {
      const ofAmount = segments.filter((segment) => segment.amounts.some((one) => isSameAmount(own, one)));
      const isTogether = ofName.some((segment) => ofAmount.includes(segment));
      const isOthers = ofAmount.every((segment) =>
        segment.names.some((name) => !stemsOf(name).some((one) => stems.has(one))),
      );
      const hasOther = ofName.some((segment) =>
        segment.amounts.some((one) => one.unit === own.unit && !isMentioned(one)),
      );
      if (ofName.length > 0 && ofAmount.length > 0 && !isTogether && isOthers && hasOther)
        return `the cited passage does not say ${own.text} of ${text}`;
    }
  }
  return undefined;
}

/** With these shares of each other's words, a sentence says the same as a place, or the opposite. */
const SAME_SHARE = 0.6;
const SAME_SHARE_BACK = 0.5;
/** Conditions turn a statement around, so that a negation proves nothing. */
const CONDITION = /\b(?:only|unless|except|without|nothing|until|apart from|no one|if|un[a-z]+ed)\b/i;

function findOpposite({ text, content, stems }: Claim, place: Place): string | undefined {
  const theirs = contentOf(place.text, place.amounts, []);
  if (place.kind === 'row' || content.length < 2 || CONDITION.test(text) || CONDITION.test(place.text))
    return undefined;
  const isSame =
    share(content, (one) => hasStem(place.stems, one)) >= SAME_SHARE &&
    share(theirs, (one) => hasStem(stems, one)) >= SAME_SHARE_BACK;
  return isSame && isNegated(text) !== place.isNegated ? 'the cited passage says the opposite' : undefined;
}
