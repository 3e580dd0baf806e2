import type { Token, Tokens } from 'marked';
import type { Colors } from './colors.ts';
import type { Span, Style } from './spans.ts';

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** The text inside a block as pieces with a look; looks inside each other are joined. */
export function inlineSpans(tokens: readonly Token[] | undefined, colors: Colors, outer?: Style): Span[] {
  const styled = (inner: Style): Style => (outer ? (text) => outer(inner(text)) : inner);
  return (tokens ?? []).flatMap((token): Span[] => {
    switch (token.type) {
      case 'strong':
        return inlineSpans(token.tokens, colors, styled(colors.bold));
      case 'em':
        return inlineSpans(token.tokens, colors, styled(colors.italic));
      case 'del':
        return inlineSpans(token.tokens, colors, styled(colors.strikethrough));
      case 'codespan':
        return [{ text: token.text, style: styled(colors.cyan) }];
      case 'link':
        return linkSpans(token as Tokens.Link, colors, outer); // the type says so; marked's union has an open member
      case 'br':
        return [{ text: '\n' }];
      case 'checkbox':
        return [{ text: token.checked ? '☑ ' : '☐ ', style: outer }];
      case 'text':
      case 'escape':
        if ('tokens' in token && token.tokens) return inlineSpans(token.tokens, colors, outer);
        return [{ text: decode(token.text), style: outer }];
      default:
        return [{ text: token.raw, style: outer }];
    }
  });
}

/** The address is always shown: a text must not pretend to lead elsewhere. */
function linkSpans(link: Tokens.Link, colors: Colors, outer: Style | undefined): Span[] {
  const text = inlineSpans(link.tokens, colors, outer ?? colors.underline);
  const isSame = link.href === link.text || link.href === `mailto:${link.text}`;
  return isSame ? text : [...text, { text: ` (${link.href})`, style: colors.dim }];
}

function decode(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}
