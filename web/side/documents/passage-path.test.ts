import { expect, it } from 'vitest';
import { passagePath, splitPassage } from './passage-path.ts';

const CITATION = {
  id: 'p1',
  knowledge: 'handbook',
  document: 'docs/a b.md',
  title: 'A',
  breadcrumb: [],
  version: 'v1',
  start: 700,
  end: 800,
  quote: 'five days',
};

it('asks for a cited passage with text around it, its version and its quote', () => {
  expect(passagePath('/agent/x/knowledge', CITATION)).toBe(
    '/agent/x/knowledge/docs%2Fa%20b.md?knowledge=handbook&start=100&end=1400&version=v1&quote=five+days',
  );
});

it('asks for a document from its beginning', () => {
  expect(passagePath('/agent/x/knowledge', { knowledge: 'k', document: 'a', start: 0 })).toBe(
    '/agent/x/knowledge/a?knowledge=k&start=0',
  );
});

it('splits a text at the cited place', () => {
  expect(splitPassage('before cited after', 100, { start: 107, end: 112 })).toEqual(['before ', 'cited', ' after']);
  expect(splitPassage('cited after', 107, { start: 100, end: 112 })).toEqual(['', 'cited', ' after']);
  expect(splitPassage('whole', 0, { start: 0 })).toEqual(['whole', '', '']);
});
