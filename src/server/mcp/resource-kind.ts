import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/server';

/** A kind of resources. A new kind is one file and one entry in `addResources`. */
export interface ResourceKind {
  /** The beginning of its addresses. */
  prefix: string;
  template: ResourceTemplateType;
  /** A page of the user's own; the cursor is the one that this kind returned. */
  list(cursor: string | undefined): Promise<{ resources: Resource[]; nextCursor?: string }>;
  /** The text behind an address without its prefix; undefined if there is none for this user. */
  read(name: string): Promise<{ text: string; mimeType: string } | undefined>;
}
