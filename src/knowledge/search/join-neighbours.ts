import { createHash } from 'node:crypto';
import type { Passage } from '../knowledge.ts';
import type { Candidate, Ranked } from './rank.ts';

const MAX_JOINED_CHARS = 5_000;

/** Several passages that follow each other in one section, as one. */
interface Joined extends Ranked {
  firstId: number;
  lastId: number;
}

/** Keeps the best `topK`, and joins hits that follow each other in one section; the better place counts. */
export function joinNeighbours(ranked: readonly Ranked[], topK: number): Ranked[] {
  const joined: Joined[] = [];
  for (const one of ranked) {
    const { id } = one.candidate;
    const near = joined.find((other) => isNeighbour(other, one.candidate));
    if (near) {
      near.candidate = joinTwo(near.candidate, one.candidate);
      near.support = Math.max(near.support, one.support);
      if (one.cosine !== undefined) near.cosine = Math.max(near.cosine ?? -1, one.cosine);
      near.firstId = Math.min(near.firstId, id);
      near.lastId = Math.max(near.lastId, id);
    } else if (joined.length < topK) joined.push({ ...one, firstId: id, lastId: id });
    else break;
  }
  return joined;
}

/** Passages of a document are stored in their order, so neighbours have successive ids. */
function isNeighbour({ candidate, firstId, lastId }: Joined, other: Candidate): boolean {
  if (candidate.documentId !== other.documentId) return false;
  if (other.id !== firstId - 1 && other.id !== lastId + 1) return false;
  const isOneSection = candidate.breadcrumb.join('\n') === other.breadcrumb.join('\n');
  return isOneSection && candidate.text.length + other.text.length <= MAX_JOINED_CHARS;
}

function joinTwo(a: Candidate, b: Candidate): Candidate {
  const [first, second] = a.start < b.start ? [a, b] : [b, a];
  return { ...first, end: second.end, text: joinTexts(first, second) };
}

/** Between passages there is only white space; line ends keep the offsets exact. */
export function joinTexts(first: { end: number; text: string }, second: { start: number; text: string }): string {
  return `${first.text}${'\n'.repeat(Math.max(second.start - first.end, 0))}${second.text}`;
}

export function toPassage(found: Candidate): Passage {
  const { document, title, page, breadcrumb, version, start, end, text } = found;
  const id = createHash('sha256').update(`${document}\0${version}\0${start}\0${end}`).digest('hex').slice(0, 16);
  return { id, document, title, ...(page !== undefined && { page }), breadcrumb, version, start, end, text };
}
