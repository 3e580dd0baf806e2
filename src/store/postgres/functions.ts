import { BEGIN } from './begin-functions.ts';

/** Adds everything of one write to a turn and its conversation, whose row is locked or new. */
const APPEND = `
CREATE OR REPLACE FUNCTION holodeck_append_messages(of_conversation bigint, of_turn bigint, given jsonb) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  base integer;
BEGIN
  IF jsonb_array_length(given) = 0 THEN RETURN; END IF;
  SELECT coalesce(max(position), 0) INTO base FROM messages WHERE conversation = of_conversation;
  INSERT INTO messages (conversation, position, id, turn, role, is_text, client_id, body)
    SELECT of_conversation, base + m.place, m.value ->> 'id', of_turn, m.value ->> 'role',
      (m.value ->> 'isText')::boolean::integer, m.value ->> 'clientId', m.value ->> 'body'
    FROM jsonb_array_elements(given) WITH ORDINALITY AS m (value, place);
  UPDATE conversations SET
    message_count = message_count + (SELECT count(*) FROM jsonb_array_elements(given) m WHERE (m ->> 'isText')::boolean),
    last_updated = greatest(last_updated, given -> -1 ->> 'timestamp')
    WHERE number = of_conversation;
END $$;

CREATE OR REPLACE FUNCTION holodeck_append_attachments(of_conversation bigint, of_turn bigint, given jsonb) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO attachments (conversation, turn, message_id, body, text)
    SELECT of_conversation, of_turn, a.value ->> 'messageId', a.value ->> 'body', a.value ->> 'text'
    FROM jsonb_array_elements(given) WITH ORDINALITY AS a (value, place) ORDER BY a.place;
$$;

CREATE OR REPLACE FUNCTION holodeck_append(of_turn bigint, w jsonb) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  t turns;
BEGIN
  SELECT * INTO STRICT t FROM turns WHERE number = of_turn;
  INSERT INTO events (turn, month, attempt, seq, text_offset, type, body)
    SELECT t.number, t.month, t.attempt, (e ->> 'seq')::integer, (e ->> 'offset')::bigint, e ->> 'type', e ->> 'body'
    FROM jsonb_array_elements(w -> 'events') e;
  PERFORM holodeck_append_messages(t.conversation, t.number, w -> 'messages');
  IF w -> 'attachments' <> '[]' THEN
    PERFORM holodeck_append_attachments(t.conversation, t.number, w -> 'attachments');
  END IF;
  IF w -> 'audit' <> '[]' THEN
    INSERT INTO audit (user_id, body) SELECT t.user_id, a.value
      FROM jsonb_array_elements_text(w -> 'audit') WITH ORDINALITY AS a (value, place) ORDER BY a.place;
  END IF;
  IF w ? 'status' THEN
    UPDATE turns SET status = w ->> 'status', result = w ->> 'result', ended_at = w ->> 'endedAt',
      continues = CASE WHEN w ? 'result' THEN 0 ELSE continues END,
      request = CASE WHEN w ? 'result' THEN NULL ELSE request END
      WHERE number = t.number;
    IF w ? 'result' THEN DELETE FROM requests WHERE turn = t.number; END IF;
  END IF;
  IF w ? 'metadata' THEN
    UPDATE conversations SET metadata = (metadata::jsonb || (w -> 'metadata'))::text WHERE number = t.conversation;
  END IF;
END $$;
`;

/** Writes while the lease is the newest. A write that is repeated after a lost answer counts as done if it stands. */
const WRITE = `
CREATE OR REPLACE FUNCTION holodeck_is_written(o jsonb) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM events e JOIN turns t ON t.number = e.turn AND t.month = e.month
    WHERE t.id = o ->> 'turnId' AND t.user_id = o ->> 'userId' AND e.attempt = (o ->> 'attempt')::integer
      AND e.seq = (o #>> '{write,events,0,seq}')::integer AND e.text_offset = (o #>> '{write,events,0,offset}')::bigint
      AND e.body = o #>> '{write,events,0,body}');
$$;

/**
 * Finds the turn by its id alone and checks the rest afterwards. With everything in one condition the planner chose a
 * small index of running turns, whose dead entries grow with each turn until the next vacuum.
 */
CREATE OR REPLACE FUNCTION holodeck_find_leased(o jsonb) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  t turns;
  c conversations;
BEGIN
  SELECT * INTO t FROM turns WHERE id = o ->> 'turnId' FOR NO KEY UPDATE;
  SELECT * INTO c FROM conversations WHERE number = t.conversation;
  IF t.user_id = o ->> 'userId' AND t.attempt = (o ->> 'attempt')::integer AND t.status = 'running'
    AND t.runner_id = o ->> 'runner' AND c.id = o ->> 'conversationId' AND c.version = (o ->> 'version')::integer
    THEN RETURN t.number; END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION holodeck_write(o jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  leased bigint;
BEGIN
  IF o ? 'again' AND holodeck_is_written(o) THEN RETURN '{"outcome": "written"}'; END IF;
  leased := holodeck_find_leased(o);
  IF leased IS NULL THEN RETURN '{"outcome": "taken"}'; END IF;
  PERFORM holodeck_append(leased, o -> 'write');
  RETURN '{"outcome": "written"}';
END $$;
`;

const OTHERS = `
CREATE OR REPLACE FUNCTION holodeck_add_conversation(o jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  c conversations;
BEGIN
  INSERT INTO conversations
    (id, user_id, agent, created_at, last_updated, last_activity, message_count, metadata, version)
    VALUES (o ->> 'conversationId', o ->> 'userId', o ->> 'agent', o ->> 'now', o ->> 'now', o ->> 'now', 0,
      o ->> 'metadata', 1) RETURNING * INTO c;
  PERFORM holodeck_append_ended(c, o -> 'turns');
  RETURN '{}';
END $$;

CREATE OR REPLACE FUNCTION holodeck_delete_conversation(o jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM conversations WHERE id = o ->> 'id' AND user_id = o ->> 'userId';
  RETURN jsonb_build_object('done', FOUND);
END $$;

/** Events go with their turn. Its row is deleted first, which waits for its writers, so that no event outlives it. */
CREATE OR REPLACE FUNCTION holodeck_forget_events() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM events WHERE (turn, month) IN (SELECT number, month FROM gone);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION holodeck_accept_tools(o jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext(o ->> 'agent'), hashtext((o ->> 'server') || ' ' || (o ->> 'userId')));
  DELETE FROM accepted_tools WHERE agent = o ->> 'agent' AND server = o ->> 'server' AND user_id = o ->> 'userId';
  INSERT INTO accepted_tools (agent, server, user_id, tool, fingerprint)
    SELECT o ->> 'agent', o ->> 'server', o ->> 'userId', '', ''
    UNION ALL SELECT o ->> 'agent', o ->> 'server', o ->> 'userId', key, value FROM jsonb_each_text(o -> 'accepted');
  RETURN '{}';
END $$;
`;

/** The waiting writes of one server in one statement: one round trip, one commit, one flush. */
const GROUP = `
CREATE OR REPLACE FUNCTION holodeck_group(operations jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  o jsonb;
  answers jsonb := '[]';
BEGIN
  FOR o IN SELECT value FROM jsonb_array_elements(operations) LOOP
    answers := answers || CASE o ->> 'name'
      WHEN 'write' THEN holodeck_write(o)
      WHEN 'begin' THEN holodeck_begin(o)
      WHEN 'continue' THEN holodeck_continue(o)
      WHEN 'addConversation' THEN holodeck_add_conversation(o)
      WHEN 'deleteConversation' THEN holodeck_delete_conversation(o)
      WHEN 'acceptTools' THEN holodeck_accept_tools(o)
    END;
  END LOOP;
  RETURN answers;
END $$;
`;

/** Every function as it is now. The newest migration makes all of them again, so none is written twice. */
export const FUNCTIONS: string = [APPEND, WRITE, BEGIN, OTHERS, GROUP].join('\n').replaceAll(/\/\*\*.*?\*\//gs, '');
