import type { Agent } from '../schema/agent.ts';
import type { Inspection, InspectOptions } from './kind.ts';
import { kindOf } from './tool-kinds.ts';

/** Finds faults in the files that an agent's tools consist of. Starts nothing. */
export async function inspectTools(agent: Agent, options: InspectOptions): Promise<Inspection> {
  const groups = Map.groupBy(agent.tools, (entry) => kindOf(entry));
  const inspections = await Promise.all([...groups].map(([kind, entries]) => kind.inspect?.(entries, agent, options)));
  const found = inspections.filter((inspection) => inspection !== undefined);
  return {
    problems: found.flatMap(({ problems }) => problems),
    warnings: found.flatMap(({ warnings }) => warnings),
    findings: found.flatMap(({ findings }) => findings),
  };
}

/** The names of an entry's tools as a model sees them; undefined if only the running server knows. */
export async function toolNamesOf(entry: Agent['tools'][number], agent: Agent): Promise<string[] | undefined> {
  const { allow, prefix = '' } = entry;
  const names = await kindOf(entry).names(entry, agent);
  return names?.filter((name) => allow?.includes(name) ?? true).map((name) => `${prefix}${name}`);
}
