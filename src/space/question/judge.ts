import type { DataQuery } from '../../schema/data-query.ts';
import { checkAgreement } from '../guard/agreement.ts';
import { auditQuery } from '../guard/audit.ts';
import { checkContext } from '../guard/context.ts';
import { findDoubts } from '../guard/doubts.ts';
import { writeEcho } from '../guard/echo.ts';
import type { AuditedPart, Finding } from '../guard/finding.ts';
import { findLooseWords } from '../guard/loose-words.ts';
import type { PlainEnglish } from '../guard/plain/plain-english.ts';
import { EQUAL } from './read-question.ts';
import type { Reading, ScoredCandidate } from './reading.ts';
import type { SpaceView } from './words/lexicon.ts';
import { verbForms } from './words/verb-forms.ts';

/** The way a question is dealt with, and how sure it is. */
export interface Verdict {
  kind: 'answer' | 'ask' | 'decline';
  confidence: 'high' | 'medium' | 'low';
  candidate?: ScoredCandidate | undefined;
  echo: string;
  reasons: string[];
  notUnderstood: string[];
  choices: string[];
}

export interface JudgeOptions {
  views: readonly SpaceView[];
  /** Confirms readings of questions that have only one meaning. */
  plain: PlainEnglish;
  /** The queries of the last turn. */
  earlier?: readonly DataQuery[] | undefined;
  /** The conversation has earlier turns, also if none of them was answered. */
  isLater?: boolean | undefined;
  /** The message as it was written, also where only a part of it was read. */
  asked?: string | undefined;
}

/** A second reading this near is offered beside the first one. */
const NEAR = 8;
const MAX_CHOICES = 4;

/** Decides whether a reading is answered, asked about or declined. The guards do not know how it was made. */
export function judge(read: string, reading: Reading, options: JudgeOptions): Verdict {
  const { views } = options;
  const text = withoutTypos(read, reading);
  const sound = reading.candidates.filter((candidate) => !isRefuted(text, candidate, views));
  const [best, second] = sound;
  if (reading.unknown.length > 0) return decline(reading, []);
  if (!best) {
    const refuted = reading.candidates[0];
    const problems = refuted
      ? auditOf(text, refuted, views).map((finding) => finding.text)
      : (reading.nearest?.problems ?? []);
    return decline(reading, problems);
  }
  const outside = best.parts.flatMap(({ space, query }) => fullyOutside(query, viewNamed(views, space)));
  if (outside.length > 0) return { ...decline(reading, outside), candidate: best };
  const equal = sound.filter(({ score }) => score < best.score + EQUAL);
  const declared = firstDeclared(equal, views);
  if (declared) return prefer(declared, equal, { ...options, text, reading });
  if (equal.length > 1 && second) {
    const choices = equal.slice(0, MAX_CHOICES).map((one) => echoOf(one, views));
    if (new Set(choices).size > 1)
      return {
        kind: 'ask',
        confidence: 'low',
        echo: '',
        reasons: ['it can be read in several ways'],
        notUnderstood: [],
        choices: [...new Set(choices)],
      };
  }
  const { earlier = [], isLater, asked = text } = options;
  const context = checkContext(asked, earlier, { isEdit: best.isEdit, isLater, query: best.query });
  const lost = context.filter(({ level }) => level === 'wrong').map((finding) => finding.text);
  if (lost.length > 0) return { ...decline(reading, lost), candidate: best };
  const open = [...context, ...auditOf(text, best, views)].filter(({ level }) => level === 'open');
  if (open.length > 0 && (best.isEdit || !options.plain.isMeant({ text, parts: best.parts })))
    return askAbout(echoOf(best, views), open);
  const reasons = reasonsOf(text, best, { ...options, reading });
  const slips = reading.typos.filter(({ isSure }) => isSure).map((typo) => `, ${describeTypo(typo)}`);
  const other = second && second.score < best.score + NEAR && reasons.length > 0 ? [echoOf(second, views)] : [];
  return {
    kind: 'answer',
    confidence: reasons.length === 0 ? 'high' : 'medium',
    candidate: best,
    echo: [echoOf(best, views), ...slips].join(''),
    reasons,
    notUnderstood: [],
    choices: other,
  };
}

/** A reading that is more often wrong than right is offered, not answered. */
function askAbout(echo: string, findings: readonly Finding[]): Verdict {
  const reasons = [...new Set(findings.map(({ text }) => text))];
  return { kind: 'ask', confidence: 'low', echo: '', reasons, notUnderstood: [], choices: [echo] };
}

function describeTypo({ words, readAs }: Reading['typos'][number]): string {
  return `"${words}" was read as "${readAs}"`;
}

/** The guards read the words that a typo was read as. */
function withoutTypos(text: string, { typos }: Reading): string {
  return typos.reduce((rest, { words, readAs }) => rest.replace(words, readAs), text);
}

/** Readings that differ in the measure of one table only: the one that the model declares first, which is the usual one. */
function firstDeclared(equal: readonly ScoredCandidate[], views: readonly SpaceView[]): ScoredCandidate | undefined {
  const [first] = equal;
  if (!first || equal.length < 2) return undefined;
  const shapeOf = ({ query, parts }: ScoredCandidate) =>
    JSON.stringify([{ ...query, measures: 0, order: query.order?.direction }, parts.map(({ space }) => space)]);
  const placeOf = ({ query, parts }: ScoredCandidate) => {
    const measures = viewNamed(views, parts[0]?.space ?? '')?.model.measures ?? new Map();
    const found = measures.get(query.measures[0]?.name ?? '');
    return { table: found?.table, unit: found?.unit, at: [...measures.keys()].indexOf(query.measures[0]?.name ?? '') };
  };
  const places = equal.map((one) => ({ one, ...placeOf(one) }));
  const isAlike =
    equal.every((one) => shapeOf(one) === shapeOf(first) && one.query.measures.length === 1) &&
    new Set(places.map(({ table }) => table)).size === 1;
  const usual = places.toSorted((a, b) => placeOfVerb(a.one, views) - placeOfVerb(b.one, views) || a.at - b.at);
  return isAlike ? usual[0]?.one : undefined;
}

/** The place of the question's verb among the verbs of the measure: the first one is what the measure is usually said by. */
function placeOfVerb({ query, parts, draft }: ScoredCandidate, views: readonly SpaceView[]): number {
  const name = query.measures[0]?.name ?? '';
  const verbs = viewNamed(views, parts[0]?.space ?? '')?.model.measures.get(name)?.verbs ?? [];
  const said = draft.mentions.find(({ sense }) => sense.kind === 'measure' && sense.strength === 'verb')?.words;
  const at = verbs.findIndex((verb) => verbForms(verb).includes(said?.toLowerCase() ?? ''));
  const isMoney =
    draft.head === 'how_much' || draft.items.some(({ words }) => /\b(?:money|dollars|usd)\b/i.test(words));
  return at < 0 || isMoney ? 0 : at;
}

function prefer(
  best: ScoredCandidate,
  equal: readonly ScoredCandidate[],
  options: JudgeOptions & { text: string; reading: Reading },
): Verdict {
  const others = equal.filter((one) => one !== best);
  const names = others.map(({ query }) => query.measures[0]?.name).join(' or ');
  return {
    kind: 'answer',
    confidence: 'medium',
    candidate: best,
    echo: echoOf(best, options.views),
    reasons: [`${names} may be meant`, ...reasonsOf(options.text, best, options)],
    notUnderstood: [],
    choices: others.slice(0, MAX_CHOICES).map((one) => echoOf(one, options.views)),
  };
}

function decline({ unknown }: Reading, reasons: string[]): Verdict {
  return { kind: 'decline', confidence: 'low', echo: '', reasons, notUnderstood: unknown, choices: [] };
}

function reasonsOf(
  text: string,
  best: ScoredCandidate,
  { reading, views, plain, earlier = [], isLater, asked = text }: JudgeOptions & { reading: Reading },
): string[] {
  const reasons = [
    ...reading.typos.filter(({ isSure }) => !isSure).map(describeTypo),
    ...best.assumptions,
    ...(best.weak.length > 0 ? [`"${best.weak.join('" and "')}" may mean something else`] : []),
    ...auditOf(text, best, views).map((finding) => finding.text),
    ...checkContext(asked, earlier, { isEdit: best.isEdit, isLater, query: best.query }).map(({ text: why }) => why),
    ...(isPlain(best.isEdit ? asked : text, best, { plain, earlier }) ? [] : ['these words may have another meaning']),
    ...best.parts.flatMap(({ space, query }) => outsideData(query, viewNamed(views, space))),
  ];
  // A change of the last question has that one's reasons, too.
  return [...new Set(reasons)];
}

/** True if the question means nothing but this query. */
function isPlain(
  text: string,
  candidate: ScoredCandidate,
  { plain, earlier }: { plain: PlainEnglish; earlier: readonly DataQuery[] },
): boolean {
  const { parts, isEdit } = candidate;
  if (!isEdit) return plain.isMeant({ text, parts });
  const [base] = earlier;
  return earlier.length === 1 && base !== undefined && plain.isMeant({ text, parts, base });
}

function rangeOf(query: ScoredCandidate['query'], view: SpaceView | undefined) {
  const [first] = query.measures;
  return view?.facts.ranges.get(first?.among ?? view.model.measures.get(first?.name ?? '')?.table ?? '');
}

/** A period without any data has no figure; 0 would be wrong. */
function fullyOutside(query: ScoredCandidate['query'], view: SpaceView | undefined): string[] {
  const range = rangeOf(query, view);
  const periods = [query.period, query.compare].filter((period) => period !== null);
  return periods.some((period) => range && (period.to < range.from || period.from > range.to))
    ? [`the data has dates from ${range?.from} to ${range?.to} only`]
    : [];
}

/** A period that begins before the data is only partly there. One that is still running ends with the data. */
function outsideData(query: ScoredCandidate['query'], view: SpaceView | undefined): string[] {
  const range = rangeOf(query, view);
  const periods = [query.period, query.compare].filter((period) => period !== null);
  const isPartly = ({ from, to }: { from: string; to: string }) =>
    range !== undefined && (from < range.from || (to > range.to && to.slice(0, 4) !== range.to.slice(0, 4)));
  return periods.some(isPartly) ? [`the data has dates from ${range?.from} to ${range?.to} only`] : [];
}

function auditedParts(candidate: Pick<ScoredCandidate, 'parts'>, views: readonly SpaceView[]): AuditedPart[] {
  return candidate.parts.flatMap(({ space, query }) => {
    const view = viewNamed(views, space);
    return view ? [{ query, model: view.model, facts: view.facts }] : [];
  });
}

function auditOf(text: string, candidate: ScoredCandidate, views: readonly SpaceView[]) {
  const parts = auditedParts(candidate, views);
  const isEdit = candidate.isEdit;
  return [
    ...auditQuery(text, parts, { isEdit }),
    ...checkAgreement(text, parts),
    ...findDoubts(text, parts),
    ...findLooseWords(text, parts),
  ];
}

function isRefuted(text: string, candidate: ScoredCandidate, views: readonly SpaceView[]): boolean {
  return auditOf(text, candidate, views).some(({ level }) => level === 'wrong');
}

function echoOf({ parts }: Pick<ScoredCandidate, 'parts'>, views: readonly SpaceView[]): string {
  const lines = parts.flatMap(({ space, query }) => {
    const view = viewNamed(views, space);
    return view ? [writeEcho(query, view)] : [];
  });
  return lines.join(' · ');
}

function viewNamed(views: readonly SpaceView[], space: string): SpaceView | undefined {
  return views.find(({ model }) => model.space === space);
}
