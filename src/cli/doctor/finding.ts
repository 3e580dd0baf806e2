/** A line of `holodeck doctor`. */
export interface Finding {
  area: string;
  state: 'ok' | 'warning' | 'problem';
  text: string;
  /** The command or line that fixes it. */
  remedy?: string;
}

export function ok(area: string, text: string): Finding {
  return { area, state: 'ok', text };
}

export function warning(area: string, text: string, remedy: string): Finding {
  return { area, state: 'warning', text, remedy };
}

export function problem(area: string, text: string, remedy: string): Finding {
  return { area, state: 'problem', text, remedy };
}
