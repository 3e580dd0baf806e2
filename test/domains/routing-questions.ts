import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { decide } from '../../src/routing/decide/decide.ts';
import { createRegistry, type Registry } from '../../src/routing/decide/registry.ts';
import { AgentFile } from '../../src/schema/agent.ts';

interface RoutingMiss {
  question: string;
  expected: string;
  got: string;
}

/** Shares of questions whose exact set of domains was found. */
export interface RoutingScore {
  count: number;
  single: number;
  several: number;
  exact: number;
  declined: number;
  misses: RoutingMiss[];
}

const AGENT = new URL('../../agents/retail/agent.yaml', import.meta.url);

export function readRetailRegistry(): Registry {
  return createRegistry(AgentFile.parse(parse(readFileSync(AGENT, 'utf8'))).domains);
}

/**
 * Routes every question of a file (`domains<TAB>question`; no domains means that it must be declined), without history.
 */
export function scoreRouting(file: string | URL, registry: Registry): RoutingScore {
  const rows = readQuestions(file).map(({ question, expected }) => {
    const decision = decide({ text: question, earlier: [] }, registry);
    return { question, expected, got: decision.identified_domains.toSorted().join() };
  });
  const share = (wanted: (expected: string) => boolean) => {
    const asked = rows.filter(({ expected }) => wanted(expected));
    return asked.length === 0 ? 1 : asked.filter(({ expected, got }) => expected === got).length / asked.length;
  };
  return {
    count: rows.length,
    single: share((expected) => expected !== '' && !expected.includes(',')),
    several: share((expected) => expected.includes(',')),
    exact: share((expected) => expected !== ''),
    declined: share((expected) => expected === ''),
    misses: rows.filter(({ expected, got }) => expected !== got),
  };
}

function readQuestions(file: string | URL): { question: string; expected: string }[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(1);
  return lines.map((line) => {
    const [domains = '', question = ''] = line.split('\t');
    return { question, expected: domains.split(',').toSorted().join() };
  });
}
