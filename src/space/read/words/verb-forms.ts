/** Irregular verbs with their past forms. */
const PAST = new Map(
  (
    'buy bought|sell sold|spend spent|make made|bring brought|win won|run ran run|lose lost|leave left|pay paid|send sent|' +
    'get got|hold held|ship shipped|shop shopped|go went gone|come came come|put put|give gave given|write wrote written|' +
    'take took taken|begin began begun|find found'
  )
    .split('|')
    .map((line) => [line.split(' ')[0] ?? '', line.split(' ').slice(1)]),
);

/** All forms of a verb; of several words the first one changes: "signed up". */
export function verbForms(verb: string): string[] {
  const [base = '', ...rest] = verb.split(' ');
  const tail = rest.length > 0 ? ` ${rest.join(' ')}` : '';
  const stem = base.endsWith('e') ? base.slice(0, -1) : base;
  const doubled = /[^aeiou][aeiou][bdgmnpt]$/.test(base) && base.length <= 4 ? base + base.at(-1) : stem;
  const past = PAST.get(base) ?? [/[^aeiou]y$/.test(base) ? `${base.slice(0, -1)}ied` : `${doubled}ed`];
  const third = /(?:s|sh|ch|x)$/.test(base)
    ? `${base}es`
    : /[^aeiou]y$/.test(base)
      ? `${base.slice(0, -1)}ies`
      : `${base}s`;
  return [...new Set([base, third, ...past, `${doubled}ing`])].map((form) => `${form}${tail}`);
}
