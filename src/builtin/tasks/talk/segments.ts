/** A part of a message that can be read by itself. `link`: what stands between it and the part before. */
export interface Segment {
  text: string;
  link: string;
}

/** Never split: titles and names that hold a full stop. */
const ABBREVIATION = /(?:\b(?:Dr|Mr|Mrs|Ms|St|No|Nr|Prof|Jr|Sr|ch|fig|vs|etc|e\.g|i\.e|approx|a\.m|p\.m)|\b\p{L})$/iu;
const BREAK =
  /\s*\n+\s*(?:[-*•–]\s+|\d{1,2}[.)]\s+)?|\s*[;!?]+(?:\s+|$)|\s*\.{2,}\s*|\s*…\s*|\.\s+|\s*,\s*(?:(?:and|so|but|then|or|also|plus)\s+)*(?:also\s+|then\s+)?|\s+\(?\d{1,2}\)\s+|(?<!\b(?:am|is|are|was|were|be|feel|not|ever|or|do|think|'m|'s|'re|you))\s+so\s+(?!much\b|many\b|far\b|long\b|very\b|good\b)|\s+(?:and then|and also|and so|and|but|plus|because|cos|bc|cause|since|&|\+)\s+|(?<=\p{L}{3})\s+then\s+(?=\p{L}+\s+\p{L})|\s+[-–—]+\s+|(?<=\p{L})(?<!\b(?:done|finished|completed?|delete|remove|mark)):\s+/giu;
const BULLET = /^\(?\d{1,2}[.)]\s+/;
const QUOTED = /"[^"]*"|“[^”]*”|(?<=^|[\s,;:(])'[^']*'(?=$|[\s.,!?;:)])/g;

/** Splits a message wherever a new thought may begin. Quoted text is never cut. */
export function splitSegments(text: string): Segment[] {
  const quotes: string[] = [];
  const held = text
    .replace(/^\s*(?:[-*•–]\s+|\(?\d{1,2}[.)]\s+)/, '')
    .replace(QUOTED, (quoted) => `\u0001${quotes.push(quoted) - 1}\u0001`);
  const show = (part: string) => part.replace(/\u0001(\d+)\u0001/g, (_, index: string) => quotes[Number(index)] ?? '');
  const segments: Segment[] = [];
  let start = 0;
  let link = '';
  for (const match of held.matchAll(BREAK)) {
    const part = held.slice(start, match.index);
    if (/^\.\s/.test(match[0]) && ABBREVIATION.test(part)) continue;
    if (part.trim() !== '') segments.push({ text: show(part.trim()).replace(BULLET, ''), link });
    link = part.trim() === '' ? link + match[0] : match[0];
    start = match.index + match[0].length;
  }
  const last = held.slice(start).replace(/(?<!\d\.\d{1,2})[\s.,!]+$/, '');
  if (last.trim() !== '') segments.push({ text: show(last.trim()), link });
  return segments;
}
