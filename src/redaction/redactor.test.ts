import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../schema/json.ts';
import { CALLED_SECRET, KEY_LIKE, PERSONAL, TOKENS } from './patterns.ts';
import { createRedactor } from './redactor.ts';
import type { NamedSecret } from './secret-forms.ts';
import { isSeriesOpen, redactSeries } from './series.ts';

/** Secrets with line breaks, quotes, escapes and other characters that encodings change; some contain or overlap others. */
const value = fc.oneof(
  fc.string({ minLength: 6, maxLength: 40 }),
  fc.string({ unit: fc.constantFrom('a', 'b', '"', '\n', '\\', '/', '+', ' ', 'é', '%'), minLength: 6, maxLength: 20 }),
  fc.stringMatching(/^sk-[A-Za-z0-9]{20}$/),
);
const secrets = fc.array(value, { minLength: 1, maxLength: 4 }).chain((values) =>
  fc.tuple(fc.constant(values), fc.nat({ max: 5 })).map(([given, cut]): NamedSecret[] => {
    const [first = ''] = given;
    const related = [`${first}-more-of-it`, `${first.slice(cut)}tail-of-it`];
    return [...given, ...related]
      .filter((one) => one.trim().length >= 6)
      .map((one, index) => ({ name: `VAR_${index}`, value: one }));
  }),
);

const ENCODINGS: Record<string, (text: string) => string> = {
  plain: (text) => text,
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  'JSON in JSON': (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3),
  URL: (text) => encodeURIComponent(text.toWellFormed()),
  form: (text) => new URLSearchParams([['', text]]).toString().slice(1),
  base64: (text) => Buffer.from(text).toString('base64'),
};

describe('createRedactor with known secrets', () => {
  it.each(Object.entries(ENCODINGS))('leaves no secret in %s form', (_, encode) => {
    fc.assert(
      fc.property(secrets, fc.string(), fc.string(), (known, before, after) => {
        const redactor = createRedactor({ secrets: known, minChars: 6 });
        const clean = redactor.text(`${before}${known.map((one) => encode(one.value.trim())).join(after)}${after}`);
        for (const { value } of known) expect(clean.includes(encode(value.trim()))).toBe(false);
      }),
    );
  });

  it('hides the basic authorization of a user and a secret', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 9 }), fc.stringMatching(/^[A-Za-z0-9]{12}$/), (user, secret) => {
        const redactor = createRedactor({ secrets: [{ name: 'PASSWORD', value: secret }] });
        const sent = Buffer.from(`${user}:${secret}`).toString('base64');
        const left = Buffer.from(redactor.text(sent).replace(/\[[^\]]*\]/, ''), 'base64').toString();
        expect(left).not.toContain(secret.slice(1, -1));
      }),
    );
  });

  it('changes nothing the second time, and gives equal secrets equal placeholders in every process', () => {
    fc.assert(
      fc.property(secrets, fc.string(), (known, between) => {
        const text = known.map((one) => one.value).join(between);
        const clean = createRedactor({ secrets: known, patterns: TOKENS }).text(text);
        expect(createRedactor({ secrets: known, patterns: TOKENS }).text(text)).toBe(clean);
        expect(createRedactor({ secrets: known.toReversed(), patterns: TOKENS }).text(clean)).toBe(clean);
      }),
    );
  });

  it('puts back what it hid, also inside JSON', () => {
    fc.assert(
      fc.property(value, (secret) => {
        fc.pre(secret.trim().length >= 6 && secret === secret.trim());
        const redactor = createRedactor({ secrets: [{ name: 'KEY', value: secret }], minChars: 6 });
        const call = JSON.stringify({ header: `Bearer ${secret}`, body: JSON.stringify({ key: secret }) });
        expect(JSON.parse(redactor.restore(redactor.text(call)))).toEqual(JSON.parse(call));
      }),
    );
  });

  it('hides a whole value that begins with another one, and overlapping values together', () => {
    const known = [
      { name: 'SHORT', value: 'abcdef' },
      { name: 'LONG', value: 'abcdefghij' },
      { name: 'OTHER', value: 'ijklmnop' },
    ];
    const redactor = createRedactor({ secrets: known });
    expect(redactor.text('1 abcdefghij 2 abcdef 3 abcdefghijklmnop 4')).toBe('1 [LONG] 2 [SHORT] 3 [LONG] 4');
  });

  it('hides the lines of a value of several lines', () => {
    const key = '-----BEGIN KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END KEY-----';
    const redactor = createRedactor({ secrets: [{ name: 'PEM', value: key }] });
    expect(redactor.text(`at hkiG9w0BAQEFAASC in ${JSON.stringify(key)}`)).toBe('at [PEM:line3] in "[PEM]"');
  });

  it('never names a secret by a text that contains it', () => {
    const redactor = createRedactor({ secrets: [{ name: 'MY_SECRET', value: 'SECRET' }] });
    expect(redactor.text('the SECRET')).toBe('the [hidden]');
  });

  it('redacts keys and numbers, and keeps keys apart that become equal', () => {
    const known = [{ name: 'PIN', value: '123456' }];
    const value: Json = { 'id 123456': 123456, 'id [PIN]': [1234567, 'x123456'], __proto__: 1 };
    expect(createRedactor({ secrets: known }).json(value)).toEqual({
      'id [PIN]': '[PIN]',
      'id [PIN] (2)': ['[PIN]7', 'x[PIN]'],
    });
  });
});

describe('createRedactor with patterns of tokens', () => {
  const redactor = createRedactor({ patterns: TOKENS, hidesNamedKeys: true });
  it.each([
    ['sk-proj-abcdefghij0123456789', 'OpenAI'],
    ['sk-ant-api03-abcdefghij', 'Anthropic'],
    [`sk_${'live'}_abcdefghij0123456789`, 'Stripe'],
    ['ghp_abcdefghij0123456789', 'GitHub'],
    ['github_pat_abcdefghij0123456789', 'GitHub, fine-grained'],
    ['glpat-abcdefghij0123456789', 'GitLab'],
    [`xoxb-${'1234567890'}-abcdefghij`, 'Slack'],
    [`AKIA${'ABCDEFGHIJ012345'}`, 'AWS'],
    [`AIza${'SyAbcdefghij0123456789abcdefghij012'}`, 'Google'],
    ['ya29.abcdefghij0123456789', 'Google OAuth'],
    ['eyJhbGciOiJI.eyJzdWIiOiIx.abc', 'a JWT'],
    ['Bearer abc.def-123', 'a bearer token'],
    ['Basic dXNlcjpwYXNzd29yZA==', 'basic authorization'],
    ['-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----', 'a private key'],
  ])('hides %s (%s)', (token) => {
    expect(redactor.text(`use ${token}, please`)).toBe('use [redacted], please');
    expect(redactor.json({ list: [token] })).toEqual({ list: ['[redacted]'] });
  });

  it('hides passwords in addresses, keys in queries and values of secret keys', () => {
    expect(redactor.text('postgres://me:hunter2@db/x')).toBe('postgres://me:[redacted]@db/x');
    expect(redactor.text('GET https://x.de/a?b=1&access_token=abc123&c=2')).toBe(
      'GET https://x.de/a?b=1&access_token=[redacted]&c=2',
    );
    expect(redactor.json({ password: 1234, max_tokens: 500, headers: { Cookie: 'a' }, token: ['a'] })).toEqual({
      password: '[redacted]',
      max_tokens: 500,
      headers: { Cookie: '[redacted]' },
      token: ['[redacted]'],
    });
  });

  it.each([
    'a bearer of good news',
    'basic knowledge of sk-learn and skateboarding-equipment',
    'https://example.com/a?page=2&sort=key',
    'due on 2026-03-02 at 17:30',
    'the npm_config_registry variable',
  ])('leaves "%s"', (text) => {
    expect(redactor.text(text)).toBe(text);
  });
});

describe('the patterns', () => {
  const redactor = createRedactor({ patterns: [...TOKENS, ...CALLED_SECRET, ...PERSONAL, ...KEY_LIKE] });
  const texts = [
    'sk-',
    'eyJ-',
    'a',
    'a.',
    '=a',
    ' ',
    'token is ',
    '0',
    '0 ',
    '+4',
    'Bearer ',
    '://a:',
    '-----BEGIN PRIVATE KEY-----',
    'DE00 ',
  ];
  // A quadratic pattern would run for minutes.
  it.each(texts)('read 200,000 characters of "%s" in linear time', (part) => {
    expect(redactor.text(part.repeat(200_000 / part.length))).toBeTypeOf('string');
  });
});

describe('series', () => {
  const SECRET = 'hunter"22\nmore';
  const redactor = createRedactor({ secrets: [{ name: 'SHOP_KEY', value: SECRET }] });

  function cut(text: string, at: readonly number[]): string[] {
    const points = [0, ...at.map((one) => one % (text.length + 1)).sort((a, b) => a - b), text.length];
    return points.slice(1).map((point, index) => text.slice(points[index], point));
  }

  it('finds a secret that is cut anywhere between chunks, among other chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 20 }), fc.boolean(), (at, isJson) => {
        const text = `key: ${isJson ? JSON.stringify({ a: SECRET }) : SECRET} end`;
        const chunks = cut(text, at).flatMap((content, index) => [
          { id: 'r', choices: [{ index: 0, delta: { content } }] },
          ...(index % 3 === 0 ? [{ type: 'ping' }] : []),
        ]);
        const joined = redactSeries(chunks, redactor).map(
          (one) => JSON.parse(JSON.stringify(one)).choices?.[0].delta.content ?? '',
        );
        expect(joined.join('')).toBe(isJson ? 'key: {"a":"[SHOP_KEY]"} end' : 'key: [SHOP_KEY] end');
      }),
    );
  });

  it('keeps texts of different kinds apart', () => {
    const chunks = [
      { type: 'text', text: 'hunter"22' },
      { type: 'reasoning', text: 'so' },
      { type: 'text', text: '\nmore' },
    ];
    expect(redactSeries(chunks, redactor)).toEqual([
      { type: 'text', text: '[SHOP_KEY]' },
      { type: 'reasoning', text: 'so' },
      { type: 'text', text: '' },
    ]);
  });

  it('is open while the end of a text may begin a secret', () => {
    const open = (...texts: string[]) =>
      isSeriesOpen(
        texts.map((text) => ({ object: 'oh', text })),
        redactor,
      );
    expect([
      open('a', 'b'),
      open('a', 'hunt'),
      open('hunt', 'er"22'),
      open('hunt', 'ing'),
      open('hunter"22', '\nmore'),
    ]).toEqual([false, true, true, false, false]);
  });
});
