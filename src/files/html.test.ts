import { describe, expect, it } from 'vitest';
import { htmlToMarkdown } from './html.ts';
import { jsonLinesToText, jsonToText } from './json.ts';
import { recordsToText } from './records.ts';

describe('htmlToMarkdown', () => {
  it('keeps headings, lists, tables and code, and drops scripts', () => {
    const html = `<!doctype html><html><head><title>Leave &amp; pay</title><style>p{}</style></head><body>
      <nav><a href="/">Home</a></nav><h1 class="a>b">Leave</h1><p>You get <b>30&nbsp;days</b>.</p>
      <script>if (a < b) alert("</p>")</script><ul><li>one</li><li>two</li></ul>
      <table><tr><th>Year</th><th>Days</th></tr><tr><td>1</td><td>30</td></tr></table><pre>a
  b</pre><!-- <p>no</p> --></body></html>`;
    expect(htmlToMarkdown(html)).toEqual({
      title: 'Leave & pay',
      text: '# Leave\n\nYou get 30 days.\n\n- one\n- two\n\n| Year | Days |\n| --- | --- |\n| 1 | 30 |\n\n```\na\n  b\n```',
    });
  });

  it('reads any text without a fault', () => {
    for (const html of ['<', '<p', '<!--', '<script>x', 'a < b > c', '<p title="', '&#xffffff;&#0;&unknown;'])
      expect(typeof htmlToMarkdown(html).text).toBe('string');
  });
});

it('JSON becomes lines with paths, one block for each record', () => {
  expect(jsonToText('[{"name":"A","tags":["x","y"]},{"name":"B","at":{"city":"Rome"}}]')).toBe(
    'name: A\ntags: x, y\n\nname: B\nat.city: Rome',
  );
  expect(jsonLinesToText('{"q":1}\nplain\n')).toBe('q: 1\n\nplain');
  expect(jsonToText('{broken')).toBe('{broken');
});

describe('recordsToText', () => {
  const record = { id: 'sku', text: ['name', 'about'], meta: ['price', 'tags'] };
  const expected = '# A1\n\nLamp\n\n # bright\n\nprice: 10';

  it.each([
    ['a.csv', 'sku;name;about;price\nA1;Lamp;"# bright";10\n', record],
    ['a.jsonl', '{"sku":"A1","name":"Lamp","about":"# bright","price":10}\nno json\n', record],
    [
      'a.json',
      '{"data":{"items":[{"sku":"A1","name":"Lamp","about":"# bright","price":10}]}}',
      { ...record, path: 'data.items' },
    ],
  ])('writes each record of %s with its id, texts and other fields', async (name, content, records) => {
    expect(await recordsToText(content, name, records)).toBe(expected);
  });

  it('is empty for a path that leads nowhere', async () => {
    expect(await recordsToText('{"a":1}', 'a.json', { ...record, path: 'b.c' })).toBe('');
  });
});
