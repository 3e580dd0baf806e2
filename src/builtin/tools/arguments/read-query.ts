import { stripPoliteness, unquote } from '../../../language/clean-text.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import { type CandidateReader, SURE } from './candidate.ts';
import { readTexts } from './read-text.ts';

const SEARCH =
  /^(?:(?:please|do|run|perform|make)\s+)*(?:an?\s+)?(?:web\s+)?(?:search(?:ing)?|look(?:ing)?(?:\s+up)?|find|google|query|fetch|get|show|tell|give|retrieve|provide|pull up)\b(?:\s+(?:me|us))?(?:\s+(?:up|out|online|the web|the internet|memory|on (?:the )?(?:web|internet|google)|in (?:the )?\w+|(?:with )?prompt))?(?:\s+(?:the|some|any|all|more|recent|latest|current)*\s*(?:information|info|details|news(?: articles)?|articles|results|facts|data|guidance|recipes?))?(?:\s+(?:for|about|on|of|regarding|that mention|involving))?\s+/i;
/** "the pdf with insurance in the name". */
const CONTAINED =
  /\b(?:with|containing|having|that have)\s+(?:the words?\s+)?(\S+(?:\s\S+)?)\s+in (?:the|its|their) (?:name|title|text|subject|body)\b/i;
/** "search my mailbox for invoices". */
const IN_THING = /^(?:through |in |on )?(?:my|the|our)\s+\S+(?:\s+\S+)?\s+for\s+/i;
const ABOUT =
  /\b(?:about|regarding|concerning|involving|mentioning|on the topic of)\s+(?:the\s+|my\s+|an?\s+)?(.+?)(?:[.?!](?:\s.*)?)?$/is;
const HAVING =
  /^(?:do (?:you|we|they)|have (?:you|we|they)|are there|is there|got)\s+(?:have\s+|got\s+|stock\s+|sell\s+)?(?:any(?:thing|one|body)?\b|some|an?|the)?\s*(?:by\s+|on\s+|about\s+|at\s+|from\s+)?/i;
const ASKING =
  /^(?:what(?:'s| is| are| was| were)|who(?:'s| is| are| was| were)|where(?:'s| is| are)|define|explain|describe)\s+(?:the\s+|an?\s+)?/i;
const TRAILING =
  /\s+(?:using|with|via)\s+(?:the\s+)?(?:search|web|tool|google|duck)\b.*$|\s+(?:use tools?|for me|please|online|on the (?:web|internet))\b.*$/i;

/** The subject of a search: quoted, after "about", or the message without its command. A question stays whole. */
export const readQuery: CandidateReader = (profile, values, options) => {
  const found = readTexts(profile, values, options).filter(({ score }) => score >= SURE.likely);
  const rest = subjectOf(values.text.trim(), profile);
  if (rest === '' || !profile.isRequired) return found;
  return [...found, { value: rest, at: 0, length: 0, score: SURE.likely - 0.05 }];
};

function subjectOf(text: string, { words }: ArgumentProfile): string {
  const command = stripPoliteness(text);
  const isKeyword = words.some((word) => /^(?:keywords?|term|topic|search)$/.test(word));
  if (HAVING.test(text)) return unquote(text.replace(HAVING, ''));
  const contained = CONTAINED.exec(command)?.[1];
  if (contained !== undefined) return unquote(contained);
  const isSearch = SEARCH.test(command);
  const about = ABOUT.exec(command)?.[1];
  if (about !== undefined && (isKeyword || isSearch || /^(?:where|which|any)\b/i.test(command))) return unquote(about);
  if (!isSearch && !isKeyword) return text;
  const subject = command.replace(SEARCH, '').replace(IN_THING, '');
  return unquote((isKeyword ? subject.replace(ASKING, '') : subject).replace(TRAILING, ''));
}
