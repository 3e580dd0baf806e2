import type { Conditions, DataQuery } from '../../schema/data-query.ts';
import type { DataFacts } from '../model/facts.ts';
import type { SpaceModel } from '../model/model.ts';

/** A part of the answer: the query, and the model that it is over. */
export interface AuditedPart {
  query: DataQuery;
  model: SpaceModel;
  facts: DataFacts;
}

/**
 * `wrong`: the query contradicts the question. `unsure`: it may say less or more than the question. `open`: it does so
 * more often than not, and a figure would be a guess.
 */
export interface Finding {
  level: 'wrong' | 'unsure' | 'open';
  text: string;
}

export function wrong(text: string): Finding {
  return { level: 'wrong', text };
}

export function open(text: string): Finding {
  return { level: 'open', text };
}

export function unsure(text: string): Finding {
  return { level: 'unsure', text };
}

export function conditionsOf(query: DataQuery): Conditions[] {
  const { filters = [], named = [] } = query.without ?? {};
  return [query, ...(query.part ? [query.part] : []), ...(query.without ? [{ filters, named, numbers: [] }] : [])];
}
