import { describe, expect, it } from 'vitest';
import { loadWordVectors } from '../../language/word-vectors.ts';
import { spellOut } from './spell-out.ts';
import { readToolDocument } from './tool-document.ts';

const document = readToolDocument({
  name: 'get_weather',
  description: 'Show the weather forecast of a city.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
});

describe('spellOut', () => {
  it.each([
    ['whats the wheather in Oslo tmrw', "what's the weather in Oslo tomorrow"],
    ['forcast for Oslo pls', 'forecast for Oslo please'],
    ['a word that is right stays: whether', 'a word that is right stays: whether'],
    ['forecasts are no typo', 'forecasts are no typo'],
    ['a quote stays: "wheather pls"', 'a quote stays: "wheather pls"'],
    ['so do paths: /wheather/pls.txt', 'so do paths: /wheather/pls.txt'],
  ])('%s', (said, text) => {
    expect(spellOut(said, [document], loadWordVectors())).toBe(text);
  });
});
