import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import type { RoutingDecision } from '../../schema/domain.ts';
import { ANSWERED } from './decide.ts';
import { namesOf } from './reasoning.ts';

/** The decision that a model made through its calls, compared with the decision by the registry's words. */
export function decideFromCalls(calls: readonly ToolCall[], byWords: RoutingDecision): RoutingDecision | undefined {
  const asked = calls.filter((call) => call.domain !== undefined);
  const domains = [...new Set(asked.flatMap((call) => call.domain ?? []))];
  if (domains.length === 0) return undefined;
  const missing = byWords.identified_domains.filter((name) => !domains.includes(name));
  const added = domains.filter((name) => !byWords.identified_domains.includes(name));
  const tools = [...new Set(asked.map((call) => call.name))].join(', ');
  const agreement =
    missing.length + added.length === 0
      ? `the registry agrees: ${byWords.reasoning}`
      : `by the words of the registry it would be ${namesOf(byWords.identified_domains) || 'none'}.`;
  return {
    ...byWords,
    identified_domains: domains,
    reasoning: `The model asked ${namesOf(domains)} (${tools}); ${agreement}`,
    confidence: missing.length + added.length === 0 ? byWords.confidence : Math.min(byWords.confidence, 0.6),
    ...ANSWERED,
    ambiguity_detected: missing.length + added.length > 0,
  };
}

/** A model that asked no domain has declined or asks the user back. */
export function decideFromSilence(answer: string, byWords: RoutingDecision): RoutingDecision {
  const asksBack = /\?\s*$/.test(answer.trim());
  return {
    ...byWords,
    identified_domains: [],
    reasoning: asksBack
      ? 'The model asked back before asking any domain.'
      : 'The model answered without asking any domain.',
    ambiguity_detected: false,
    clarification_needed: asksBack,
    out_of_scope: !asksBack,
  };
}
