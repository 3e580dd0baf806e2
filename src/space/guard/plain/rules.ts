/** A reading of the words at one place: their meaning, and the place after them. */
export interface Found<T> {
  value: T;
  next: number;
}

/** All ways to read the words at a place. No way: the rule does not fit there. */
export type Rule<T> = (at: number) => Found<T>[];

/** Reads one rule after the other and joins what they say. */
export function sequence<T>(...rules: readonly Rule<T[]>[]): Rule<T[]> {
  return (at) =>
    rules.reduce<Found<T[]>[]>(
      (ways, rule) =>
        ways.flatMap(({ value, next }) =>
          rule(next).map((found) => ({ value: [...value, ...found.value], next: found.next })),
        ),
      [{ value: [], next: at }],
    );
}

export function either<T>(...rules: readonly Rule<T>[]): Rule<T> {
  return (at) => rules.flatMap((rule) => rule(at));
}

export function maybe<T>(rule: Rule<T[]>): Rule<T[]> {
  return either((at) => [{ value: [], next: at }], rule);
}

/** The rule up to `most` times. */
export function repeat<T>(rule: Rule<T[]>, most: number): Rule<T[]> {
  return (at) => {
    const ways: Found<T[]>[] = [{ value: [], next: at }];
    let last = ways;
    for (let times = 0; times < most && last.length > 0; times++) {
      last = last.flatMap(({ value, next }) =>
        rule(next)
          .filter((found) => found.next > next)
          .map((found) => ({ value: [...value, ...found.value], next: found.next })),
      );
      ways.push(...last);
    }
    return ways;
  };
}

/** Changes what a rule says; `undefined` drops the way. */
export function change<A, B>(rule: Rule<A>, make: (value: A) => B | undefined): Rule<B> {
  return (at) =>
    rule(at).flatMap(({ value, next }) => {
      const made = make(value);
      return made === undefined ? [] : [{ value: made, next }];
    });
}
