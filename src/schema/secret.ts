const SECRET_NAME = /authorization|api[-_]?key|token|secret|passw|cookie|credential|private[-_]?key|[-_]key$/i;
const SECRET_SHAPE =
  /^(Bearer|Basic)\s+\S|^(sk|pk|rk)[-_]\w|^AIza\w|^gh[oprsu]_\w|^github_pat_|^xox[abeprs]-|^AKIA\w|^eyJ\w/i;

/** True if a variable, header or key has a name that is usual for secrets. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** True if a value looks like a provider's key or like a token. */
export function hasSecretShape(value: string): boolean {
  return SECRET_SHAPE.test(value);
}
