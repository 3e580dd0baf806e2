/** The hosts and the name of a database, for messages; never the user or the password. */
export function describeAddress(url: string): string {
  const rest = url.replace(/^postgres(ql)?:\/\//i, '');
  const withoutUser = rest.slice(rest.lastIndexOf('@') + 1);
  const [place = ''] = withoutUser.split('?', 1);
  return place || 'the database';
}
