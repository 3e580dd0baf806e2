import type { RoutingDecision } from '../../schema/domain.ts';
import type { Composition } from '../composer.ts';
import { ANSWERED } from './decide.ts';
import { namesOf } from './reasoning.ts';
import type { Registry } from './registry.ts';

const SURE = 0.95;
const UNSURE = 0.7;

/**
 * The domains of a question that was read over the models of the spaces: those whose measures it uses. A question that
 * could not be read keeps the domains that its words point to.
 */
export function decideFromReading(
  byWords: RoutingDecision,
  composition: Composition | undefined,
  registry: Registry,
): RoutingDecision {
  if (!composition) return byWords;
  const { reading, evidence } = composition;
  const domainOf = (tool: string) => registry.ofTool(tool)?.name;
  const tools = reading.parts.map(({ tool }) => tool);
  const domains = [...new Set(tools.flatMap((tool) => domainOf(tool) ?? []))];
  if (domains.length === 0) return withReading(byWords, composition, registry);
  const words = evidence.flatMap(({ tool, words: own }) => {
    const domain = domainOf(tool);
    return domain !== undefined && domains.includes(domain) && own.length > 0
      ? [`'${own.join("', '")}' is in the data of ${domain}`]
      : [];
  });
  const confidence = reading.confidence === 'high' ? SURE : UNSURE;
  const others = (byWords.scores ?? []).filter(({ domain }) => !domains.includes(domain));
  const scores = [
    ...domains.map((domain) => ({ domain, score: confidence })),
    ...others.map(({ domain, score }) => ({ domain, score: Math.min(score, 0.49) })),
  ];
  return {
    user_query: byWords.user_query,
    identified_domains: domains,
    reasoning: `${words.join('; ') || `the question is about ${namesOf(domains)}`}.`,
    confidence,
    scores,
    ...ANSWERED,
    reading,
  };
}

/** A question that is not answered goes to the domains of its nearest reading, or of its words if it has none. */
function withReading(
  byWords: RoutingDecision,
  { reading, nearest, evidence, continued }: Composition,
  registry: Registry,
): RoutingDecision {
  const domainsOf = (tools: readonly string[]) => [
    ...new Set(tools.flatMap((tool) => registry.ofTool(tool)?.name ?? [])),
  ];
  const near = domainsOf(nearest);
  const last = domainsOf(continued);
  const isForecast = byWords.out_of_scope && byWords.reasoning.includes('forecast');
  if (isForecast) return { ...byWords, identified_domains: last.length > 0 ? last : near };
  const isKnown = evidence.some(({ words }) => words.length > 0);
  const byOwn = byWords.identified_domains.length > 0 ? byWords.identified_domains : near;
  const domains = last.length > 0 ? last : byOwn;
  if (domains.length === 0)
    return { ...byWords, reading, ...(isKnown && { out_of_scope: false, clarification_needed: true }) };
  return {
    ...byWords,
    identified_domains: domains,
    out_of_scope: false,
    clarification_needed: reading.kind === 'ask',
    reading,
  };
}
