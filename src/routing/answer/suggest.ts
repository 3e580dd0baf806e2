import type { Domain } from '../../schema/domain.ts';
import { isObject, type Json } from '../../schema/json.ts';
import { readQuestionWords } from '../decide/question-words.ts';
import { askTool, type Registry } from '../decide/registry.ts';

export interface SuggestInput {
  question: string;
  /** The earlier messages of the conversation. They are not suggested again. */
  earlier?: readonly string[];
  /** Results of the domains. Questions that they answered are not suggested again. */
  results: readonly Json[];
  /** The domains that answered. */
  used: readonly string[];
  registry: Registry;
  /** Maps a tool to its description. Tools that are not in the map cannot be asked. */
  descriptions: ReadonlyMap<string, string>;
}

const MAX_SUGGESTIONS = 3;
const MAX_PER_DOMAIN = 2;

/** Suggests one to three next questions, for domains related to those that answered. Empty if no domain answered. */
export function suggest({ question, earlier = [], results, used, registry, descriptions }: SuggestInput): string[] {
  const answered = results.flatMap((result) => (isObject(result) ? [result.question] : []));
  const asked = [question, ...earlier, ...answered.filter((text) => typeof text === 'string')];
  const related = [...new Set(used.flatMap((name) => registry.find(name)?.related_domains ?? []))]
    .flatMap((name) => registry.find(name) ?? [])
    .filter((domain) => askTool(domain, (tool) => descriptions.has(tool)) !== undefined);
  const fresh = related.filter(({ name }) => !used.includes(name));
  const domains = fresh.length > 0 ? fresh : related;
  const lists = domains.map((domain) => questionsFor(domain, asked, descriptions));
  const perDomain = domains.length === 1 ? MAX_PER_DOMAIN : 1;
  return lists.flatMap((list) => list.slice(0, perDomain)).slice(0, MAX_SUGGESTIONS);
}

/** Questions from the tool's description, the nearest first; without any, a question about one of its capabilities. */
function questionsFor(domain: Domain, asked: readonly string[], descriptions: ReadonlyMap<string, string>): string[] {
  const tool = askTool(domain, (name) => descriptions.has(name));
  const listed = listedQuestions(descriptions.get(tool ?? ''));
  // A figure of a suggestion would be checked as one of the answer.
  const known = listed.filter((text) => !/\bN\b|\d/.test(text) && !isRepeated(text, asked));
  if (known.length === 0) return [capabilityOf(domain, asked)];
  const words = new Set(rootsOf(asked[0] ?? ''));
  const overlap = (text: string) => rootsOf(text).filter((root) => words.has(root)).length;
  return known.toSorted((a, b) => overlap(b) - overlap(a));
}

/** The questions that the description of a space lists. */
export function listedQuestions(description = ''): string[] {
  return description.split('\n').flatMap((line) => /^- (.+\?)$/.exec(line)?.[1] ?? []);
}

/** A question counts as answered if all its words occur in an earlier one. */
function isRepeated(text: string, asked: readonly string[]): boolean {
  const roots = rootsOf(text);
  return asked.some((question) => {
    const words = new Set(rootsOf(question));
    return roots.every((root) => words.has(root));
  });
}

function rootsOf(text: string): string[] {
  return readQuestionWords(text).map(({ root }) => root);
}

function capabilityOf({ capabilities, description, display_name }: Domain, asked: readonly string[]): string {
  const fresh = capabilities.find((capability) => !isRepeated(capability, asked));
  const subject = (fresh ?? capabilities[0] ?? description).replace(/[.?!]\s*$/, '');
  return `What does ${display_name} say about ${subject.charAt(0).toLowerCase()}${subject.slice(1)}?`;
}
