import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseArguments } from './parse-arguments.ts';

describe('parseArguments', () => {
  it.each([
    ['', {}],
    [' \n', {}],
    ['{"a":{"b":[1,null]}}', { a: { b: [1, null] } }],
    ['{"a":1,"a":2}', { a: 2 }],
    ['{"__proto__":{"admin":true},"a":{"\\u005f_proto__":1}}', { a: {} }],
  ])('reads %j', (text, expected) => {
    const parsed = parseArguments(text);
    expect(parsed).toEqual({ arguments: expected });
    expect('admin' in (parsed as { arguments: object }).arguments).toBe(false);
  });

  it.each([
    ['{"a":', 'the arguments are not JSON; write one JSON object'],
    ['[1]', 'the arguments are not a JSON object'],
    ['null', 'the arguments are not a JSON object'],
    ['"text"', 'the arguments are not a JSON object'],
    [`{"a":${'['.repeat(80)}${']'.repeat(80)}}`, 'the arguments are nested deeper than 64 levels'],
    [`{"a":"${'x'.repeat(1_000_000)}"}`, 'the arguments are longer than 1000000 characters'],
  ])('says what is wrong with %.20s', (text, problem) => {
    expect(parseArguments(text)).toEqual({ problem });
  });

  it('never throws, and returns the written arguments', () => {
    const deep = `{"a":${'['.repeat(300_000)}`;
    for (const text of [deep, deep + ']'.repeat(300_000)]) expect(parseArguments(text)).toHaveProperty('problem');
    fc.assert(fc.property(fc.string(), (text) => void parseArguments(text)));
    const object = fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      fc.jsonValue({ noUnicodeString: false }),
    );
    fc.assert(
      fc.property(object, (args) => {
        const text = JSON.stringify(args);
        if (!text.includes('__proto__')) expect(parseArguments(text)).toEqual({ arguments: JSON.parse(text) });
      }),
    );
  });
});
