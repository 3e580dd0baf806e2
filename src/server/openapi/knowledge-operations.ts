import { PassageQuery } from '../../schema/requests.ts';
import type { Operation } from './operation.ts';

const SEEN_BY = 'Documents are shown by `visible_to` and the groups of your token; others do not exist for you.';

/** The documents of `knowledge`. */
export const knowledgeOperations: readonly Operation[] = [
  {
    id: 'listKnowledge',
    method: 'GET',
    path: '/agent/{name}/knowledge',
    tag: 'agents',
    summary: 'List the documents of an agent with their state, problems first',
    description: SEEN_BY,
    answer: 'Knowledge',
    problems: [404],
  },
  {
    id: 'openPassage',
    method: 'GET',
    path: '/agent/{name}/knowledge/{document}',
    tag: 'agents',
    summary: 'Read a passage of a document by its place, such as that of a citation',
    description: `${SEEN_BY} The path of the document is one part of the address, with / as %2F.`,
    query: PassageQuery,
    answer: 'Passage',
    problems: [404, 422],
  },
  {
    id: 'searchKnowledge',
    method: 'POST',
    path: '/agent/{name}/knowledge/search',
    tag: 'agents',
    summary: 'Search the documents of an agent, best passage first',
    description: SEEN_BY,
    body: 'KnowledgeSearch',
    answer: 'FoundPassages',
    problems: [404, 422, 429],
  },
];
