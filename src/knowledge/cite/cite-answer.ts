import type { AnswerCheck } from '../../schema/conversation/turn.ts';
import { checkSentence, isStatement, type Support } from './check-sentence.ts';
import { type Evidence, type EvidenceText, readEvidence } from './evidence.ts';
import { type CitedSentence, splitCited } from './sentences.ts';

export interface CiteInput {
  text: string;
  /** The passages that were returned in this turn, by the id that the model cites. */
  passages: ReadonlyMap<string, EvidenceText>;
  /** Results of other tools as text: sentences about them need no passage. */
  others?: readonly string[];
}

type CitationCheck = Extract<AnswerCheck, { kind: 'citation' }>;

/**
 * Checks each sentence of an answer against the passages that it cites. A sentence without a mark gets the passage that
 * supports it, if there is one; a statement that no passage supports is marked.
 */
export function citeAnswer({ text, passages, others = [] }: CiteInput): CitationCheck[] {
  const evidence = new Map([...passages].map(([id, passage]) => [id, readEvidence(passage)]));
  const elsewhere = others.map((other) => readEvidence({ title: '', breadcrumb: [], text: other }));
  return splitCited(text).flatMap((sentence) => {
    const isCited = sentence.parts.some(({ ids }) => ids.length > 0);
    return isCited ? [checkCited(sentence, evidence)] : checkUncited(sentence, evidence, elsewhere);
  });
}

function toCheck({ text, start, end }: CitedSentence, ids: readonly string[], reason?: string): CitationCheck {
  const citations = ids.length > 0 && { citations: [...new Set(ids)] };
  return { kind: 'citation', text, start, end, found: reason === undefined, ...citations, ...(reason && { reason }) };
}

function checkCited(sentence: CitedSentence, evidence: ReadonlyMap<string, Evidence>): CitationCheck {
  const ids = sentence.parts.flatMap((part) => part.ids);
  const unknown = ids.find((id) => !evidence.has(id));
  if (unknown !== undefined) return toCheck(sentence, ids, `no search of this answer returned [${unknown}]`);
  for (const { words, ids: own } of sentence.parts) {
    const cited = own.flatMap((id) => evidence.get(id) ?? []);
    const { reason } = checkSentence(words, cited);
    if (reason !== undefined) return toCheck(sentence, ids, reason);
  }
  return toCheck(sentence, ids);
}

/** Beside results of other tools, short sentences report what was done. */
const LEAST_WORDS_OF_TASK = 4;
/** With this share of its words in one passage, a sentence without a mark comes from there. */
const FOUND_OVERLAP = 0.6;

function checkUncited(
  sentence: CitedSentence,
  evidence: ReadonlyMap<string, Evidence>,
  elsewhere: readonly Evidence[],
): CitationCheck[] {
  const words = sentence.parts.map((part) => part.words).join(' ');
  if (!isStatement(words, elsewhere.length > 0 ? LEAST_WORDS_OF_TASK : 1)) return [];
  const found = [...evidence].find(([, one]) => isSupported(checkSentence(words, [one])));
  if (found) return [toCheck(sentence, [found[0]])];
  if (elsewhere.some((other) => isSupported(checkSentence(words, [other])))) return [];
  return [toCheck(sentence, [], 'no passage of the documents says this')];
}

function isSupported({ overlap, reason }: Support): boolean {
  return reason === undefined && overlap >= FOUND_OVERLAP;
}
