/** A cost for people, such as $0.0042: never rounded to nothing. */
export function formatCost(dollars: number): string {
  if (dollars >= 1) return `$${dollars.toFixed(2)}`;
  return `$${dollars >= 0.0001 ? dollars.toFixed(4) : dollars.toPrecision(2)}`;
}
