import type { FileReader } from '../files/file-reader.ts';
import type { Ids } from '../ids.ts';
import type { Post } from '../models/http-post.ts';
import type { Model } from '../models/model.ts';
import type { ToolSource } from '../tools/tool.ts';
import type { ChatDeps } from './turn/turn.ts';

/** Stands between a runtime and its models, tools and files, to record them or to take their place. */
export interface RuntimeTap {
  /** The connection to providers. */
  post(post: Post): Post;
  /** `isRemote`: the replies come over `post`. */
  model(model: Model, options: { isRemote: boolean }): Model;
  source(source: ToolSource): ToolSource;
  reader(reader: FileReader): FileReader;
  /** Runs members of teams. */
  delegating?(delegate: ChatDeps['delegate']): ChatDeps['delegate'];
  /** Ids for models; they may be part of the next request. */
  modelIds: Ids;
  /** Ids for tools. They are not part of a repeated run, so they must not use up those of the turns. */
  ids: Ids;
  /** The folder that holds the documents, in place of the agent's own. */
  documents?: string;
}
