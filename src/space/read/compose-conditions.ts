import { resolveDimension } from '../model/resolve.ts';
import { addFilter, baseTable, beside, canGroup, type Draft, isNegated, isOp, NotReadable } from './draft.ts';

/** Values and named conditions become filters of the rows that are computed with. */
export function composeConditions(draft: Draft): void {
  composeWithout(draft);
  const table = baseTable(draft);
  for (const [at, { sense }] of draft.nodes.entries()) {
    if (draft.used.has(at) && draft.without && sense?.kind === 'value') continue;
    if (
      sense?.kind === 'value' &&
      !draft.groups.some((group) => group.at === at && group.dimension === sense.dimension)
    ) {
      const dimension = placeDimension(draft, table, sense.dimension, at);
      addFilter(draft, { dimension, values: [...sense.values], negated: isNegated(draft, at) }, at);
      draft.used.add(at);
    } else if (sense?.kind === 'filter') {
      const negated = isNegated(draft, at) !== sense.negated;
      draft.conditions.named.push({ name: sense.name, negated });
      draft.places.push({ at, kind: 'named', index: draft.conditions.named.length - 1 });
      draft.used.add(at);
    }
  }
  for (const group of draft.groups) placeTarget(draft, table, group);
  if (draft.asked) placeTarget(draft, table, draft.asked);
  composeMissing(draft, table);
}

function placeTarget(draft: Draft, table: string, target: { dimension?: string | undefined; at: number }): void {
  if (target.dimension !== undefined) target.dimension = placeDimension(draft, table, target.dimension, target.at);
}

/** The dimension as the measure's table reaches it. Of several joins to one table, a word of the question chooses. */
function placeDimension(draft: Draft, table: string, name: string, at: number): string {
  const { model } = draft.view;
  const found = resolveDimension(model, table, name);
  if (!found) throw new NotReadable(`${name} does not belong to ${table.replaceAll('_', ' ')}`);
  if ('place' in found) return name;
  const { entity } = model.dimensions.get(name) ?? {};
  const role = roleNear(draft, at, found.ambiguous) ?? usualRole(draft, table, found.ambiguous);
  if (role === undefined) throw new NotReadable(`${name} may be ${found.ambiguous.join(' or ')}`);
  return entity === undefined ? `${role} ${name}` : role;
}

/** The nearest word before it, else any word, that names one of the joins. */
function roleNear(draft: Draft, at: number, roles: readonly string[]): string | undefined {
  const said = draft.nodes.flatMap(({ item }, place) => {
    const senses = item.kind === 'thing' ? item.senses : [];
    const role = senses.find((sense) => sense.kind === 'role' && roles.includes(sense.role));
    // "From receipts at a warehouse" does not mean from the warehouse.
    const isOther = /^(?:from|to|into)$/i.test(item.text) && place < at && beside(draft, place, 1) !== at;
    return role?.kind === 'role' && !isOther ? [{ place, role: role.role }] : [];
  });
  const before = said.filter(({ place }) => place < at && at - place <= 3).at(-1);
  const [only, ...others] = new Set(said.map(({ role }) => role));
  return before?.role ?? (others.length === 0 ? only : undefined);
}

function usualRole(draft: Draft, table: string, roles: readonly string[]): string | undefined {
  const join = draft.view.model.tables.get(table)?.joins.find(({ role, usual }) => usual && roles.includes(role));
  if (join) {
    draft.notes.push(`"${join.role}" is taken`);
    draft.penalty += 1;
  }
  return join?.role;
}

/** "Customers who have not ordered". */
function composeWithout(draft: Draft): void {
  const [none, ...more] = draft.bound.filter(({ isNegated: no }) => no);
  if (!none) return;
  if (more.length > 0) throw new NotReadable('two things are missing at once');
  const target = draft.counted ?? draft.asked ?? draft.groups[0];
  if (target?.table === undefined) throw new NotReadable('it does not say who lacks it');
  const filters = draft.nodes.flatMap(({ sense }, at) => {
    const isOwn =
      sense?.kind === 'value' &&
      at > none.at &&
      canGroup(draft, none.table, sense.dimension) &&
      !canGroup(draft, target.table ?? '', sense.dimension);
    if (!isOwn) return [];
    draft.used.add(at);
    return [{ dimension: sense.dimension, values: [...sense.values], negated: false }];
  });
  draft.without = { table: none.table, period: null, ...(filters.length > 0 && { filters }) };
}

/** "A cart without a campaign": the dimension has no value. */
function composeMissing(draft: Draft, table: string): void {
  for (const [at, { sense }] of draft.nodes.entries()) {
    if (sense?.kind !== 'dimension') continue;
    const before = beside(draft, at, -1, ['soft', 'place']);
    const node = draft.nodes[before];
    const next = draft.nodes[at + 1]?.sense;
    const isValued = next?.kind === 'value' && next.dimension === sense.name;
    if (!node || !isOp(node, 'not') || isValued || draft.groups.some((group) => group.at === at)) continue;
    draft.used.add(before).add(at);
    addFilter(draft, { dimension: placeDimension(draft, table, sense.name, at), values: [], negated: false }, at);
  }
}
