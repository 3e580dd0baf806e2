import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { NamedCase } from '../evals/cases/read-test-cases.ts';
import { cassettePath, readCassette } from '../evals/cassette/cassette.ts';
import { createRecorder } from '../evals/cassette/record.ts';
import { createReplay } from '../evals/cassette/replay.ts';
import { clockAt } from '../evals/run/case-parts.ts';
import { type FrontsOptions, recordFronts, replayFronts } from '../evals/run/run-fronts.ts';
import type { SuiteOptions } from '../evals/run/run-suite.ts';
import { systemIds } from '../ids.ts';
import type { Agent } from '../schema/agent.ts';
import { keyVariables, Provider } from '../schema/provider.ts';
import { CASE_FRONTS } from './fronts/case-fronts.ts';

export interface TapeOptions {
  /** The folder of cassettes, or true for the usual one. */
  record?: string | boolean;
  replay?: string | boolean;
}

type CaseTapes = Pick<SuiteOptions, 'tapeFor' | 'checkFronts'>;

/** Records or repeats every case, also through the terminal, REST and AG-UI. A bad cassette stops before the first case. */
export function caseTapes(
  agent: Agent,
  cases: readonly NamedCase[],
  { record, replay }: TapeOptions,
): CaseTapes | undefined {
  const chosen = record ?? replay;
  if (!chosen) return undefined;
  if (record && replay) throw new AppError('usage', { detail: 'Give --record or --replay, not both.' });
  const folder = typeof chosen === 'string' ? chosen : join(agent.folder, 'cassettes');
  return record ? recordCases(agent, folder) : replayCases(agent, cases, folder);
}

function recordCases(agent: Agent, folder: string): CaseTapes {
  const pathOf = ({ name }: NamedCase) => cassettePath(folder, name);
  return {
    tapeFor: (one) =>
      createRecorder({ agent, ids: systemIds, clock: clockAt(systemClock, one.now), path: pathOf(one) }),
    checkFronts(one, spaces) {
      const path = pathOf(one);
      return recordFronts(one, { ...frontsOf(agent, spaces), cassette: readCassette(path), path });
    },
  };
}

function replayCases(agent: Agent, cases: readonly NamedCase[], folder: string): CaseTapes {
  const cassettes = new Map(cases.map(({ name }) => [name, readCassette(cassettePath(folder, name))]));
  const cassetteOf = ({ name }: NamedCase) => cassettes.get(name) ?? readCassette(cassettePath(folder, name));
  return {
    tapeFor: (one) => createReplay({ agent, cassette: cassetteOf(one), clock: systemClock, ids: systemIds }),
    checkFronts: (one, spaces) => replayFronts(one, { ...frontsOf(agent, spaces), cassette: cassetteOf(one) }),
  };
}

function frontsOf(agent: Agent, spaces: string): Omit<FrontsOptions, 'cassette'> {
  const quiet = { ...agent, observability: { ...agent.observability, enabled: false } };
  return { agent: quiet, clock: systemClock, ids: systemIds, fronts: CASE_FRONTS, spaces };
}

/** A replay sends nothing, so it needs no key: neither in the usual variables nor in those that the file names. */
export function standInKeys(file: string): Record<string, string> {
  const named = [...readText(file).matchAll(/api_key:\s*["']?\$\{(\w+)\}/g)].map(([, name = '']) => name);
  const names = [...Provider.options.flatMap((provider) => keyVariables({ provider })), ...named];
  return Object.fromEntries(names.map((name) => [name, 'not-needed-for-a-replay']));
}

/** Empty for a file that cannot be read: loading it explains why. */
function readText(file: string): string {
  try {
    return readFileSync(statSync(file).isDirectory() ? join(file, 'agent.yaml') : file, 'utf8');
  } catch {
    return '';
  }
}
