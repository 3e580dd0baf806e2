export const DOCS_POLICY = "default-src 'none'";
export function docsPage(_document: object): string {
  return '';
}
