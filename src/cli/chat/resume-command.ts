/** The words that start a chat like this one; the id goes behind them. */
export function resumeCommand(file: string | undefined, data: string | undefined): string {
  const parts = ['holodeck', 'chat', ...(file ? [file] : []), ...(data ? ['--data', data] : []), '--resume'];
  return parts.map(quote).join(' ');
}

/** As a shell would want it. */
function quote(part: string): string {
  return /^[\w@%+=:,./-]+$/.test(part) ? part : `'${part.replaceAll("'", "'\\''")}'`;
}
