import { isObject, type Json, type JsonObject } from '../schema/json.ts';

/** Tools of the Python HoloDeck that search documents, as entries of `knowledge`. */

/** The meaning of absent keys, by type. */
const TYPES: Readonly<Record<string, JsonObject>> = {
  vectorstore: { search_mode: 'semantic', top_k: 5 },
  hierarchical_document: { search_mode: 'hybrid', top_k: 10, semantic_weight: 0.5, keyword_weight: 0.3 },
};
const SAME = ['source', 'description', 'top_k', 'search_mode', 'semantic_weight', 'keyword_weight', 'rrf_k'];
const READ = `name type embedding_model chunk_size max_chunk_tokens min_similarity_score min_score id_field vector_field
  meta_fields record_path delimiter defer_loading`.split(/\s+/);
/** The model of a provider if the file names none. */
const USUAL: Readonly<Record<string, string>> = {
  openai: 'text-embedding-3-small',
  azure_openai: 'text-embedding-3-small',
  ollama: 'nomic-embed-text:latest',
};

export function searchesDocuments(tool: unknown): tool is JsonObject {
  return isObject(tool) && Object.hasOwn(TYPES, String(tool.type));
}

/** The file with an entry for each such tool. */
export function addKnowledge(file: JsonObject): JsonObject {
  const tools = [file.tools ?? []].flat().filter(searchesDocuments);
  const entries = tools.map((tool): [string, Json] => [String(tool.name), toEntry(tool, file)]);
  return tools.length === 0
    ? file
    : { ...file, knowledge: { ...Object(file.knowledge), ...Object.fromEntries(entries) } };
}

/** The same search as an entry. It never refuses, as there, and its tool has the name of the file. */
function toEntry(tool: JsonObject, file: JsonObject): JsonObject {
  const given = Object.fromEntries(SAME.flatMap((key) => (tool[key] === undefined ? [] : [[key, tool[key]]])));
  const tokens = tool.chunk_size ?? tool.max_chunk_tokens;
  const { id_field: id, vector_field: text, meta_fields: meta = [], record_path: path, delimiter } = tool;
  // Written and read again, it has no keys of absent values.
  const records: Json = JSON.parse(JSON.stringify({ id, text: [text].flat(), meta, path, delimiter }));
  const words = typeof tokens === 'number' && Math.min(Math.max(Math.round(tokens * 0.75), 50), 700);
  const entry: JsonObject = { ...TYPES[String(tool.type)], ...given, answer: 'freely', tool: tool.name ?? null };
  if (entry.search_mode === 'exact') entry.search_mode = 'keyword';
  return {
    ...entry,
    min_similarity: tool.min_similarity_score ?? tool.min_score ?? 0,
    ...(words && { passage_words: words }),
    ...(text !== undefined && { records }),
    embedding: embeddingOf(tool, file) ?? 'none',
  };
}

/** The model of `embedding_provider`, else that of the chat model's provider. Undefined if it has no embeddings. */
function embeddingOf({ embedding_model: own }: JsonObject, file: JsonObject): Json | undefined {
  const named = isObject(file.embedding_provider) ? file.embedding_provider : undefined;
  const { provider, endpoint, api_key } = named ?? (isObject(file.model) ? file.model : {});
  const name = own ?? named?.name ?? USUAL[String(provider)];
  if (name === undefined || /^(?:anthropic|builtin|undefined)$/.test(String(provider))) return undefined;
  return { provider: String(provider), name, ...(endpoint && { endpoint }), ...(api_key && { api_key }) };
}

/** Keys of such tools that mean something else here, or nothing. */
export function findLosses(file: JsonObject): { path: (string | number)[]; message: string }[] {
  const tools = [...[file.tools ?? []].flat().entries()];
  const searches = tools.flatMap(([index, tool]) => (searchesDocuments(tool) ? [{ at: ['tools', index], tool }] : []));
  const losses = searches.flatMap(({ at, tool }) => [
    ...Object.keys(tool).flatMap((key) =>
      [...SAME, ...READ].includes(key) ? [] : [{ path: [...at, key], message: NO_EFFECT }],
    ),
    ...(embeddingOf(tool, file) ? [] : [{ path: at, message: BY_WORDS }]),
    ...(tool.search_mode === 'exact' ? [{ path: [...at, 'search_mode'], message: NOT_EXACT }] : []),
  ]);
  const isUnused = searches.length === 0 && file.embedding_provider !== undefined;
  return isUnused ? [{ path: ['embedding_provider'], message: NO_EFFECT }] : losses;
}

export const NO_EFFECT = 'not supported yet; it has no effect';
const BY_WORDS = 'its model has no embeddings: words alone rank the passages; embedding_provider names one';
const NOT_EXACT = 'means keyword here; phrases in quotes and ids are found as written in every mode';

/** The place of a problem of such an entry in the file: its tool. */
export function placeOfEntry(path: readonly (string | number)[], tools: unknown): readonly (string | number)[] {
  const [key, name, ...rest] = path;
  const index = Array.isArray(tools) ? tools.findIndex((tool) => searchesDocuments(tool) && tool.name === name) : -1;
  return key === 'knowledge' && index >= 0 ? ['tools', index, ...rest] : path;
}
