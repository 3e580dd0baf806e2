import { type AgentStateMutation, type BaseEvent, HttpAgent, type RunAgentInput } from '@ag-ui/client';
import { ignoreElements, type Observable, tap } from 'rxjs';
import { type FollowOptions, followEvents } from './follow-events.ts';

export interface PageAgentOptions extends FollowOptions {
  url: string;
  threadId: string;
  onEvent(event: BaseEvent): void;
}

/**
 * Reads one conversation: own turns, those of other tabs and of the terminal, after a refresh and after a crash.
 * The client checks shape and order of the events. Turns are kept in the page's store: the client's own list of
 * messages stays empty, because it is copied at each event.
 */
export class PageAgent extends HttpAgent {
  private readonly options: PageAgentOptions;

  constructor(options: PageAgentOptions) {
    super({ url: options.url, threadId: options.threadId });
    this.options = options;
  }

  protected override connect(_input: RunAgentInput): Observable<BaseEvent> {
    return followEvents(this.options);
  }

  protected override apply(_input: RunAgentInput, events: Observable<BaseEvent>): Observable<AgentStateMutation> {
    return events.pipe(tap(this.options.onEvent), ignoreElements());
  }
}
