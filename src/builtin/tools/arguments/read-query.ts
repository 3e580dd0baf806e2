import { stripPoliteness, unquote } from '../../../language/clean-text.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import { type CandidateReader, SURE } from './candidate.ts';
import { readTexts } from './read-text-argument.ts';

const SEARCH =
  /^(?:(?:please|do|run|perform|make)\s+)*(?:an?\s+)?(?:web\s+)?(?:search(?:ing)?|look(?:ing)?(?:\s+up)?|find|google|query|fetch|get|show|tell|give|retrieve|provide|pull up)\b(?:\s+(?:me|us))?(?:\s+(?:up|out|online|the web|the internet|memory|on (?:the )?(?:web|internet|google)|in (?:the )?\w+|(?:with )?prompt))?(?:\s+(?:the|some|any|all|more|recent|latest|current)*\s*(?:information|info|details|news(?: articles)?|articles|results|facts|data|guidance|recipes?))?(?:\s+(?:for|about|on|of|regarding|that mention|involving))?\s+/i;
/** "the pdf with insurance in the name". */
const CONTAINED =
  /\b(?:with|containing|having|that have)\s+(?:the words?\s+)?(\S+(?:\s\S+)?)\s+in (?:the|its|their) (?:name|title|text|subject|body)\b/i;
/** "search my mailbox for invoices". */
const IN_THING = /^(?:through |in |on )?(?:my|the|our)\s+\S+(?:\s+\S+)?\s+for\s+/i;
const ABOUT = /\b(?:about|regarding|concerning|involving|mentioning|on the topic of)\s+(.+)$/is;
const HAVING =
  /^(?:do (?:you|we|they)|have (?:you|we|they)|are there|is there|got)\s+(?:have\s+|got\s+|stock\s+|sell\s+)?(?:any(?:thing|one|body)?\b|some|an?|the)?\s*(?:by\s+|on\s+|about\s+|at\s+|from\s+)?/i;
const ASKING =
  /^(?:what(?:'s| is| are| was| were)|who(?:'s| is| are| was| were)|where(?:'s| is| are)|define|explain|describe)\s+(?:the\s+|an?\s+)?/i;
/** "where are my files about insurance". */
const LOOKED_FOR =
  /^(?:where(?:'s| is| are)|which|do (?:you|we) have|have (?:you|we) got|is there|are there|any)\s+(.+)$/is;
const TRAILING =
  /\s+(?:using|with|via)\s+(?:the\s+)?(?:search|web|tool|google|duck)\b.*$|\s+(?:use tools?|for me|please|online|on the (?:web|internet))\b.*$/i;

/** The subject of a search: quoted, after "about", or the message without its command. A question stays whole. */
export const readQuery: CandidateReader = (profile, values, options) => {
  const found = readTexts(profile, values, options).filter(({ score }) => score >= SURE.likely);
  const question = profile.words.includes('question')
    ? /(?:^|[:.!]\s+)([^:.!?]+\?)(?=\s+\S)/.exec(values.text)?.[1]
    : undefined;
  const rest = question ?? subjectOf(values.text, profile);
  if (rest === '' || !profile.isRequired) return found;
  return [...found, { value: rest, at: 0, length: 0, score: SURE.likely - 0.05 }];
};

function subjectOf(text: string, { words }: ArgumentProfile): string {
  const command = stripPoliteness(text.trim());
  const isKeyword = words.some((word) => /^(?:keywords?|term|topic|search)$/.test(word));
  if (HAVING.test(text.trim())) return unquote(text.trim().replace(HAVING, ''));
  const searched = SEARCH.test(command);
  const about = ABOUT.exec(command)?.[1]?.split(/[.?!](?:\s|$)/)[0];
  const contained = CONTAINED.exec(command)?.[1];
  if (contained !== undefined) return unquote(contained);
  const base =
    about && (isKeyword || searched)
      ? about.replace(/^(?:the|my|an?)\s+/i, '')
      : command.replace(SEARCH, '').replace(IN_THING, '');
  const subject = isKeyword ? base.replace(ASKING, '') : base;
  const looked = LOOKED_FOR.exec(command)?.[1];
  if (!searched && about !== undefined && looked !== undefined)
    return unquote(about.replace(/^(?:the|my|an?)\s+/i, ''));
  if (!searched && !isKeyword) return text.trim();
  return unquote(subject.replace(TRAILING, ''));
}
