/** The records of a CSV text (RFC 4180: quotes, doubled quotes, line ends inside quotes); empty lines are left out. */
export function* parseCsv(text: string): Generator<string[]> {
  const end = text.length;
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < end) {
    const record: string[] = [];
    let isOver = false;
    while (!isOver) {
      const field = text[at] === '"' ? readQuoted(text, at) : readPlain(text, at);
      record.push(field.value);
      isOver = text[field.end] !== ',';
      at = field.end + 1;
      if (text[field.end] === '\r' && text[at] === '\n') at++;
    }
    if (record.length > 1 || record[0] !== '') yield record;
  }
}

interface Field {
  value: string;
  /** Where the comma or line end behind it stands. */
  end: number;
}

function readPlain(text: string, start: number): Field {
  let end = start;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === 44 || code === 10 || code === 13) break;
  }
  return { value: text.slice(start, end), end };
}

function readQuoted(text: string, start: number): Field {
  let value = '';
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return { value: value + text.slice(from), end: text.length };
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') {
      const rest = readPlain(text, quote + 1);
      return { value: value + rest.value, end: rest.end };
    }
    value += '"';
    from = quote + 2;
  }
}
