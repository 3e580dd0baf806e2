import { describeUnsupported } from '../kinds/tool-kinds.ts';
import { addKnowledge, findLosses, NO_EFFECT, searchesDocuments } from '../knowledge/python-entry.ts';
import type { JsonObject } from '../schema/json.ts';
import type { Layer } from '../yaml/layer.ts';
import { findPaths, getIn } from '../yaml/locate.ts';
import { isRecord } from '../yaml/parse-yaml.ts';
import type { Finding } from '../yaml/problem.ts';
import { findPythonAgentLosses, hasPythonAgents, readPythonAgents } from './python-agents.ts';

/** Keys of the Python HoloDeck that load with a warning; the first has an effect beside tools that search documents. */
export const UNSUPPORTED: readonly string[] =
  `embedding_provider author execution deployment claude openai tool_filtering
  model.top_p model.api_version model.auth_provider evaluations.optimizer
  evaluations.model.top_p evaluations.model.api_version evaluations.model.auth_provider
  evaluations.metrics.*.model.top_p evaluations.metrics.*.model.api_version evaluations.metrics.*.model.auth_provider
  observability.service_name observability.traces observability.metrics observability.logs observability.exporters
  observability.resource_attributes tools.*.env_file tools.*.encoding tools.*.timeout tools.*.sse_read_timeout
  tools.*.terminate_on_close tools.*.config tools.*.load_tools tools.*.load_prompts tools.*.request_timeout
  tools.*.is_retrieval tools.*.registry_name tools.*.defer_loading`.split(/\s+/);
/** Keys that only `holodeck test` and `holodeck check` read. */
const TEST_KEYS = ['evaluations', 'test_cases', 'test_cases_file'];

/** Keys and tools of a file that have no effect here. */
export function findUnsupported({ value }: Layer): Finding[] {
  const tools = [value.tools ?? []]
    .flat()
    .map((entry, index) => ({ path: ['tools', index], message: describeUnsupported(entry) }));
  const losses = findLosses(value as JsonObject); // YAML holds JSON values
  return [
    ...findPaths(
      value,
      UNSUPPORTED.slice(1).filter((key) => key !== 'claude' || !hasPythonAgents(value)),
    ).map((path) => ({ path, message: NO_EFFECT, onKey: true })),
    ...tools.flatMap(({ path, message: reason }) => (reason ? [{ path, message: reason }] : [])),
    ...findPaths(value, ['tools.*.server'])
      .filter((path) => isServerName(Object(getIn(value, path.slice(0, -1)))))
      .map((path) => ({ path, message: NO_EFFECT, onKey: true })),
    ...losses.map((loss) => ({ ...loss, onKey: true })),
    ...findPythonAgentLosses(value),
  ];
}

/** The value without them, and with the short forms of the Python HoloDeck written out. A tool leaves a gap. */
export function readPythonKeys(given: Record<string, unknown>, withTests: boolean): Record<string, unknown> {
  const value = addKnowledge(structuredClone(given) as JsonObject);
  for (const path of findPaths(value, withTests ? UNSUPPORTED : [...UNSUPPORTED, ...TEST_KEYS])) {
    const owner = getIn(value, path.slice(0, -1));
    if (isRecord(owner)) delete owner[String(path.at(-1))];
  }
  if (!Array.isArray(value.tools)) return { ...value, ...readPythonAgents(given, []) };
  const tools = value.tools.map(readEntry);
  return { ...value, tools, ...readPythonAgents(given, tools) };
}

/** Its first versions name every server; here `server` chooses one of ours, which has no command and no address. */
function isServerName({ server, command, url }: Record<string, unknown>): boolean {
  return typeof server === 'string' && (command ?? url) !== undefined;
}

const TRANSPORTS: Readonly<Record<string, string>> = { sse: 'http' };

/** A command without a transport is a program, http reads HTTP+SSE too, and `parameters` may be a map of properties. */
function readEntry(entry: unknown): unknown {
  if (describeUnsupported(entry) || searchesDocuments(entry)) return undefined;
  if (!isRecord(entry)) return entry;
  const { server, parameters, ...others } = entry;
  const transport = entry.transport ?? (entry.command === undefined ? undefined : 'stdio');
  const isMap = isRecord(parameters) && !('type' in parameters && !isRecord(parameters.type));
  return {
    ...others,
    ...(server !== undefined && !isServerName(entry) && { server }),
    ...(transport !== undefined && { transport: TRANSPORTS[String(transport)] ?? transport }),
    ...(parameters !== undefined && { parameters: isMap ? { type: 'object', properties: parameters } : parameters }),
  };
}
