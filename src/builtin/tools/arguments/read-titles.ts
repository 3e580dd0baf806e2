import { hasKind } from '../kinds.ts';
import { splitWords } from '../tool-document.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import { type Candidate, SURE } from './candidate.ts';
import type { MessageValues } from './values/message-values.ts';

const NAME = /^(?:name|title|label|subject|heading)$/;
const CALLED =
  /\b(?:called|named|titled|entitled|labell?ed|call it|name it|title it)\s+(\p{Lu}[\p{L}\d'’&-]*(?:\s+(?:(?:in|of|the|at|on|for|to|with|and|de|la|&)\s+)*[\p{Lu}\d][\p{L}\d'’&-]*)*(?:\s+(?!(?:in|on|at|for|to|with|and|from|by|off|please|as|into|about|under)\b)\p{Ll}[\p{L}'’-]*)*)/u;

/** "called Summer in Crete", "named Old letters": a capital begins the name, and a link inside it belongs to it. */
export function readTitles({ words, kind }: ArgumentProfile, { text }: MessageValues): Candidate[] {
  if (kind !== 'text' || !words.some((word) => NAME.test(word))) return [];
  const match = CALLED.exec(text);
  const value = match?.[1];
  if (!match || value === undefined) return [];
  return [{ value, at: match.index + match[0].length - value.length, length: value.length, score: 0.99 }];
}

/** "#design" for `channel`; the description says whether the sign is kept. */
export function readHashtag({ words, kind, meaning }: ArgumentProfile, { text }: MessageValues): Candidate[] {
  const isTag = kind === 'text' && words.some((word) => /^(?:channel|hashtag|tag|room)$/.test(word));
  const match = isTag ? /(?<![\w#])#([\p{L}][\w-]*)/u.exec(text) : null;
  if (!match) return [];
  const value = /\bwith(?: the)? #/.test(meaning) ? match[0] : String(match[1]);
  return [{ value, at: match.index, length: match[0].length, score: SURE.named }];
}

const WORDS_SAID = /^(?:text|message|content|body|note|comment|summary)$/;
const SAID =
  /\b(?:tell|let|inform|message|write|text|post|say|announce|remind|email|notify)\b[^.!?]{0,40}?\b(?:that|saying|know)\s+(?:that\s+)?([^"]+?)[.!]*$/i;

/** "say to the team that the mockups are ready": the words go on to the end. */
export function readSaid({ words, kind }: ArgumentProfile, { text }: MessageValues): Candidate[] {
  const match = kind === 'text' && words.some((word) => WORDS_SAID.test(word)) ? SAID.exec(text) : null;
  const value = match?.[1];
  if (!match || value === undefined || !value.includes(' ')) return [];
  return [{ value, at: match.index + match[0].indexOf(value), length: value.length, score: SURE.linked + 0.05 }];
}

const TOLD_TO =
  /\b(?:tell|text|message|let|email|remind|warn|inform)\s+(?:(?:my|the|our)\s+)?[\p{L}'-]+(?:\s\p{Lu}[\p{L}'-]*)?,?\s+((?:i|we|he|she|they|it|you|the|my|our|there|dinner|lunch)(?:['’]\p{L}+)?\s[^"]+?)[.!]*$/iu;

/** "message Lea I'm ten minutes late": the words after the receiver. */
export function readTold({ words, kind }: ArgumentProfile, { text }: MessageValues): Candidate[] {
  const isText = kind === 'text' && words.some((word) => WORDS_SAID.test(word));
  const value = isText ? TOLD_TO.exec(text)?.[1] : undefined;
  return value === undefined ? [] : [{ value, at: text.lastIndexOf(value), length: value.length, score: SURE.linked }];
}

const DUTY =
  /\b(?:should|must|needs? to|has to|have to)\s+([a-z][^,.;!?]*?)(?=\s+(?:by|on|until|before|at|every)\b|[,.;!?]|$)/i;

/** "Ella should tidy her room by Sunday": what is to be done. */
export function readDuty({ words, kind }: ArgumentProfile, { text }: MessageValues): Candidate[] {
  const match =
    kind === 'text' && words.some((word) => /^(?:chore|task|action|todo|job)$/.test(word)) ? DUTY.exec(text) : null;
  const value = match?.[1];
  if (!match || value === undefined) return [];
  return [{ value, at: match.index + match[0].indexOf(value), length: value.length, score: SURE.described }];
}

const EXTENSIONS =
  /\b(pdf|docx?|xlsx?|pptx?|csv|txt|md|png|jpe?g|gif|svg|mp3|mp4|zip|json|xml|html?|py|js|ts)\b(?!\.)/i;

/** "my pdf files" for `extension`. */
export function readExtension({ words, kind }: ArgumentProfile, { text, tokens }: MessageValues): Candidate[] {
  const match = kind === 'text' && words.includes('extension') ? EXTENSIONS.exec(text) : null;
  const isName = tokens.some(({ at, length }) => match && match.index > at && match.index < at + length);
  return match && !isName
    ? [{ value: match[0].toLowerCase(), at: match.index, length: match[0].length, score: SURE.shaped }]
    : [];
}

/** "any thai places" for `cuisine`: a word of the kind that the argument's name stands for. */
export function readKinds({ words, kind, isRequired }: ArgumentProfile, { text }: MessageValues): Candidate[] {
  if (kind !== 'text') return [];
  return [...text.matchAll(/[\p{L}]{3,}/gu)].flatMap((match) => {
    const [word = ''] = splitWords(match[0]);
    if (!words.some((own) => hasKind(own, word))) return [];
    return [
      { value: match[0], at: match.index, length: match[0].length, score: isRequired ? SURE.likely : SURE.described },
    ];
  });
}
