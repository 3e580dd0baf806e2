import { AppError } from '../../errors.ts';
import type { FaceOptions } from './mcp-call.ts';
import type { ResourceKind } from './resource-kind.ts';

const PREFIX = 'holodeck://knowledge/';
const TEXT = 'text/plain';
const ADDRESS = /^([^/?]+)\/([^?]+)(?:\?(.*))?$/;
const NUMBER = /^\d{1,9}$/;

/** The documents of the agents as resources, as the user may see them, each as text. */
export function documentResources({ runtime, user }: FaceOptions): ResourceKind {
  const withDocuments = () => runtime.agents.filter(({ knowledge }) => knowledge);
  return {
    prefix: PREFIX,
    template: {
      uriTemplate: `${PREFIX}{agent}/{document}{?start,end}`,
      name: 'document',
      description: 'The text of a document of an agent, or the part from start to end. At most 20,000 characters.',
      mimeType: TEXT,
    },
    async list() {
      const lists = withDocuments().map(async ({ name }) => {
        const { documents } = await runtime.listKnowledge(user, name);
        const readable = documents.filter(({ state }) => state !== 'unread');
        return readable.map(({ document, title, read_at: lastModified }) => ({
          uri: `${PREFIX}${name}/${encodeURIComponent(document)}`,
          name: document,
          title,
          description: `A document of ${name}.`,
          mimeType: TEXT,
          annotations: { lastModified },
        }));
      });
      return { resources: (await Promise.all(lists)).flat() };
    },
    async read(name) {
      const place = readAddress(name);
      if (!place || !withDocuments().some((agent) => agent.name === place.agent)) return undefined;
      try {
        const { text } = await runtime.openPassage(user, place);
        return { text, mimeType: TEXT };
      } catch (error) {
        if (error instanceof AppError && error.code === 'not_found') return undefined;
        throw error;
      }
    },
  };
}

function readAddress(name: string) {
  const [, agent, document, query] = ADDRESS.exec(name) ?? [];
  if (agent === undefined || document === undefined) return undefined;
  const given = new URLSearchParams(query);
  const numberOf = (key: string) => (NUMBER.test(given.get(key) ?? '') ? Number(given.get(key)) : undefined);
  try {
    return { agent, document: decodeURIComponent(document), start: numberOf('start') ?? 0, end: numberOf('end') };
  } catch {
    return undefined;
  }
}
