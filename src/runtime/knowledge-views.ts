import { AppError } from '../errors.ts';
import type { DocumentState, KnowledgeBase, Passage, SearchResult } from '../knowledge/knowledge.ts';
import type { User } from '../schema/user.ts';
import { sanitizeText } from '../tools/sanitize.ts';
import { DOCUMENTS } from './agents/knowledge.ts';
import type { ReadyAgent } from './agents/ready-agent.ts';

export interface PassageInput {
  agent: string;
  document: string;
  start: number;
  end?: number | undefined;
  version?: string | undefined;
  quote?: string | undefined;
  knowledge?: string | undefined;
}

export interface KnowledgeSearchInput {
  agent: string;
  query: string;
  topK?: number | undefined;
  knowledge?: string | undefined;
  signal: AbortSignal;
}

interface Progress {
  done: number;
  total: number;
}

interface DocumentView extends Omit<DocumentState, 'readAt'> {
  knowledge: string;
  read_at: string;
}

export interface KnowledgeView {
  documents: DocumentView[];
  /** About whole sources: files left out, links that leave the folder. */
  remarks: string[];
  building?: Progress;
}

interface PassageView extends Omit<Passage, 'id'> {
  knowledge: string;
}

export interface OpenedView extends PassageView {
  is_current: boolean;
}

export interface FoundView {
  is_found: boolean;
  passages: (PassageView & { support: number; is_above_floor: boolean })[];
  building?: Progress;
}

/** The documents of an agent, as a user may see them. The knowledge base filters each answer by the user's groups. */
export interface KnowledgeViews {
  /** Problems first, then by path. Empty for an agent without knowledge. */
  listKnowledge(user: User, agent: string): Promise<KnowledgeView>;
  /** Throws `not_found` for a document that does not exist, and for one that the user may not see. */
  openPassage(user: User, input: PassageInput): Promise<OpenedView>;
  searchKnowledge(user: User, input: KnowledgeSearchInput): Promise<FoundView>;
}

type FindAgent = (name: string) => ReadyAgent;

export function knowledgeViews(findAgent: FindAgent): KnowledgeViews {
  const open = (user: User, agent: string, only?: string) => {
    const documents = findAgent(agent).find(DOCUMENTS);
    const bases = (documents?.bases ?? []).filter(({ name }) => only === undefined || name === only);
    return { bases, groups: documents?.groupsOf(user) ?? [] };
  };
  return {
    async listKnowledge(user, agent) {
      const { bases, groups } = open(user, agent);
      const found = await Promise.all(bases.map(async (base) => ({ base, status: await base.status({ groups }) })));
      return {
        documents: found
          .flatMap(({ base, status }) => status.documents.map((each) => toDocument(base, each)))
          .sort((a, b) => Number(a.state === 'read') - Number(b.state === 'read')),
        remarks: found.flatMap(({ status }) => status.remarks.map(sanitizeText)),
        ...progressOf(found.flatMap(({ status }) => status.building ?? [])),
      };
    },
    async openPassage(user, { agent, document, start, end = Number.MAX_SAFE_INTEGER, version, quote, knowledge }) {
      const { bases, groups } = open(user, agent, knowledge);
      const cited = { ...(version !== undefined && { version }), ...(quote !== undefined && { quote }) };
      for (const base of bases) {
        const opened = await base.read(document, start, end, { groups, ...cited });
        if (opened) return { ...toShown(base, opened.passage), is_current: opened.isCurrent };
      }
      throw new AppError('not_found', { detail: 'There is no such document.' });
    },
    async searchKnowledge(user, { agent, query, topK, knowledge, signal }) {
      const { bases, groups } = open(user, agent, knowledge);
      const options = { groups, signal, ...(topK !== undefined && { topK }) };
      const found = await Promise.all(bases.map(async (base) => ({ base, ...(await base.search(query, options)) })));
      const hits = found.flatMap(({ base, hits: own }) => own.map((hit) => ({ base, hit })));
      const limit = topK ?? Math.max(0, ...bases.map(({ entry }) => entry.top_k));
      return {
        is_found: found.some(({ isFound }) => isFound),
        passages: hits
          .sort((a, b) => rankOf(b.hit) - rankOf(a.hit))
          .slice(0, limit)
          .map(({ base, hit }) => ({
            ...toShown(base, hit.passage),
            support: hit.support,
            is_above_floor: hit.isAboveFloor,
          })),
        ...progressOf(found.flatMap(({ building }) => building ?? [])),
      };
    },
  };
}

/** Scores of two knowledge bases cannot be compared; the share of the question that a passage covers can. */
function rankOf({ support, isAboveFloor }: SearchResult['hits'][number]): number {
  return support + Number(isAboveFloor);
}

function toDocument({ name }: KnowledgeBase, { readAt, reason, title, ...rest }: DocumentState): DocumentView {
  const told = reason !== undefined && { reason: sanitizeText(reason) };
  return { knowledge: name, ...rest, title: sanitizeText(title), ...told, read_at: readAt };
}

/** The text of a document is other people's words: characters that reorder or control text are removed. */
function toShown({ name }: KnowledgeBase, { id: _id, page, breadcrumb, title, text, ...rest }: Passage): PassageView {
  return {
    knowledge: name,
    ...rest,
    title: sanitizeText(title),
    breadcrumb: breadcrumb.map(sanitizeText),
    text: sanitizeText(text),
    ...(page !== undefined && { page }),
  };
}

function progressOf(all: readonly Progress[]): { building?: Progress } {
  if (all.length === 0) return {};
  const sum = (key: 'done' | 'total') => all.reduce((total, one) => total + one[key], 0);
  return { building: { done: sum('done'), total: sum('total') } };
}
