import type { ErrorCode } from 'yaml';

const MESSAGES: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS: 'this alias names no anchor before it',
  ALIAS_PROPS: 'an alias cannot have an anchor or a tag of its own',
  BAD_DIRECTIVE: 'lines that begin with % are not supported; remove it',
  BAD_DQ_ESCAPE: 'this \\ escape is not known; use single quotes to write a backslash as it is',
  BAD_SCALAR_START: 'a value cannot begin with this character; put the value in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a second ": " on one line; put the value in quotes',
  BLOCK_IN_FLOW: 'a block cannot be inside [ ] or { }',
  KEY_OVER_1024_CHARS: 'a key is longer than 1,024 characters',
  MISSING_CHAR: 'a closing bracket or ":" is missing',
  MULTILINE_IMPLICIT_KEY: 'a key must be on one line with its ":"',
  MULTIPLE_ANCHORS: 'one value has two anchors',
  MULTIPLE_DOCS: 'a second document begins here; one file holds one agent, remove "---"',
  MULTIPLE_TAGS: 'one value has two tags',
  RESOURCE_EXHAUSTION: 'nested too deeply',
  TAB_AS_INDENT: 'a tab cannot indent; use spaces',
  UNEXPECTED_TOKEN: 'this does not fit here; check the indentation and quotes of this line and the one above',
};

/** Our own texts for syntax errors: the parser's messages may quote the file, and the file may contain a secret. */
export function yamlMessage(code: ErrorCode): string {
  return MESSAGES[code] ?? 'this is not valid YAML';
}
