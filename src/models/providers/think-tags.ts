export interface ThinkTags {
  push(text: string): void;
  /** Emits text that was held back because it could have become a tag. */
  end(): void;
}

type Emit = (type: 'text' | 'reasoning', text: string) => void;

/** Tags that servers leave in the content if they do not separate reasoning from the answer. */
const NAMES = ['think', 'thinking', 'thought'];
const OPENING = NAMES.map((name) => `<${name}>`);
const CLOSING = NAMES.map((name) => `</${name}>`);
const ANY_TAG = new RegExp(`</?(?:${NAMES.join('|')})>`);

/**
 * Separates `<think>…</think>` from the answer, wherever the chunks are cut. A tag inside backticks counts as text. A
 * closing tag without an opening one is dropped: some chat templates put the opening tag into the prompt.
 */
export function createThinkTags(emit: Emit): ThinkTags {
  let pending = '';
  let closing: string | undefined;
  let lastChar = '';
  /** White space after a block at the start of the reply does not belong to the answer. */
  let isTrimming = false;
  let hasText = false;

  function put(text: string): void {
    if (closing !== undefined) {
      if (text !== '') emit('reasoning', text);
      return;
    }
    const shown = isTrimming ? text.trimStart() : text;
    if (shown === '') return;
    isTrimming = false;
    hasText = true;
    lastChar = shown.slice(-1);
    emit('text', shown);
  }

  function takeTag(buffer: string): string {
    const tags = closing === undefined ? [...OPENING, ...CLOSING] : [closing];
    const found = findFirst(buffer, closing);
    if (!found) {
      const kept = partialTag(buffer, tags);
      put(buffer.slice(0, buffer.length - kept));
      pending = buffer.slice(buffer.length - kept);
      return '';
    }
    const before = buffer.slice(0, found.index);
    const rest = buffer.slice(found.index + found.tag.length);
    const charBefore = before.slice(-1) || lastChar;
    if (closing === undefined && charBefore === '`') {
      put(before + found.tag);
      return rest;
    }
    put(before);
    if (OPENING.includes(found.tag)) closing = found.tag.replace('<', '</');
    else {
      closing = undefined;
      isTrimming = !hasText;
    }
    return rest;
  }

  return {
    push(text) {
      // The hot path: no tag is open and none can begin.
      if (pending === '' && closing === undefined && !isTrimming && !text.includes('<')) return put(text);
      let buffer = pending + text;
      pending = '';
      while (buffer !== '') buffer = takeTag(buffer);
    },
    end() {
      put(pending);
      pending = '';
    },
  };
}

/** Searches once from the left, so that text with many tags is read in linear time. */
function findFirst(text: string, closing: string | undefined): { index: number; tag: string } | undefined {
  const index = closing === undefined ? text.search(ANY_TAG) : text.indexOf(closing);
  if (index === -1) return undefined;
  return { index, tag: closing ?? text.slice(index, text.indexOf('>', index) + 1) };
}

/** The number of characters at the end that may begin a tag. */
function partialTag(text: string, tags: readonly string[]): number {
  const longest = Math.max(...tags.map((tag) => tag.length)) - 1;
  for (let length = Math.min(longest, text.length); length > 0; length--)
    if (tags.some((tag) => tag.startsWith(text.slice(-length)))) return length;
  return 0;
}
