const SECRET_NAME = /authorization|api[-_]?key|token|secret|passw|cookie|credential|private[-_]?key|[-_]key$/i;
const SECRET_SHAPE =
  /^(Bearer|Basic)\s+\S|^(sk|pk|rk)[-_]\w|^AIza\w|^gh[oprsu]_\w|^github_pat_|^xox[abeprs]-|^AKIA\w|^eyJ\w/i;

/** Whether a variable, header or key is named as secrets are. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Whether a value looks like a key of a known provider or like a token. */
export function hasSecretShape(value: string): boolean {
  return SECRET_SHAPE.test(value);
}
