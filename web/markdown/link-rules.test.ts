import { expect, it } from 'vitest';
import { readLink } from './link-rules.ts';

it('takes http, https and mailto, and shows where they lead', () => {
  expect(readLink('https://example.com/a?b=1')).toEqual({ href: 'https://example.com/a?b=1', host: 'example.com' });
  expect(readLink('http://127.0.0.1:8000/docs')?.host).toBe('127.0.0.1:8000');
  expect(readLink('mailto:a@example.com')).toEqual({ href: 'mailto:a@example.com', host: 'a@example.com' });
});

it('refuses everything else', () => {
  const refused = [
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>1</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:http://x/y',
    '/docs',
    '//evil.example/x',
    '#token=1',
    'http://user:secret@evil.example/',
    '',
  ];
  expect(refused.map(readLink)).toEqual(refused.map(() => undefined));
});
