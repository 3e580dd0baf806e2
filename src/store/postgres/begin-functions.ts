import { SELECT_TURN } from '../rows.ts';

/** Takes a new turn: a known key first, then limits, then a missing or busy conversation. */
export const BEGIN = `
CREATE OR REPLACE VIEW turn_rows AS ${SELECT_TURN};

CREATE OR REPLACE FUNCTION holodeck_is_alive(runner text) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM runners WHERE id = runner AND expires_at > now());
$$;

CREATE OR REPLACE FUNCTION holodeck_outcome(name text, of_turn bigint) RETURNS jsonb
LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('outcome', name, 'turn', to_jsonb(r)) FROM turn_rows r WHERE r.number = of_turn;
$$;

CREATE OR REPLACE FUNCTION holodeck_known_key(o jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  t turns;
BEGIN
  IF NOT o ? 'idempotencyKey' THEN RETURN NULL; END IF;
  SELECT * INTO t FROM turns WHERE user_id = o ->> 'userId' AND agent = o ->> 'agent'
    AND idempotency_key = o ->> 'idempotencyKey';
  IF t.number IS NULL THEN RETURN NULL; END IF;
  IF t.created_at < o ->> 'keysFrom' THEN
    UPDATE turns SET idempotency_key = NULL, request_hash = NULL WHERE number = t.number;
    RETURN NULL;
  END IF;
  IF t.request_hash IS NOT DISTINCT FROM o ->> 'requestHash' THEN RETURN holodeck_outcome('known', t.number); END IF;
  RETURN '{"outcome": "mismatch"}';
END $$;

/** Turns of members count nowhere: they belong to the turn that asked them. Only their agents have a name with a slash. */
CREATE OR REPLACE FUNCTION holodeck_over_limit(o jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  IF o #> '{limits,turns}' IS NOT NULL AND (SELECT count(*) FROM turns
    WHERE user_id = o ->> 'userId' AND status = 'running' AND position('/' IN agent) = 0) >= (o #>> '{limits,turns}')::integer
    THEN RETURN '{"outcome": "limited", "limit": "turns"}'; END IF;
  IF o #> '{limits,turnsPerMinute}' IS NOT NULL AND (SELECT count(*) FROM turns
    WHERE user_id = o ->> 'userId' AND attempt > 0 AND began_at > now() - interval '1 minute'
      AND position('/' IN agent) = 0)
      >= (o #>> '{limits,turnsPerMinute}')::integer
    THEN RETURN '{"outcome": "limited", "limit": "turnsPerMinute"}'; END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION holodeck_insert_turn(o jsonb, c conversations, old bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  made bigint;
BEGIN
  INSERT INTO turns (id, conversation, user_id, agent, status, attempt, runner_id, idempotency_key, request_hash,
      created_at, parent, replaces, continues, request, month)
    VALUES (o ->> 'turnId', c.number, c.user_id, c.agent, o ->> 'status', (o ->> 'attempt')::integer, o ->> 'runner',
      o ->> 'idempotencyKey', o ->> 'requestHash', o ->> 'now', c.head, old,
      (o ? 'continues')::integer, o ->> 'continues', to_char(now() AT TIME ZONE 'UTC', 'YYYYMM')::integer)
    RETURNING number INTO made;
  UPDATE conversations SET head = made WHERE number = c.number;
  RETURN made;
END $$;

/** Adds turns that no process ran: the history of a new conversation. */
CREATE OR REPLACE FUNCTION holodeck_append_ended(c conversations, given jsonb) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  one jsonb;
  made bigint;
BEGIN
  FOR one IN SELECT value FROM jsonb_array_elements(given) LOOP
    made := holodeck_insert_turn(one || '{"status": "completed", "attempt": 0, "runner": ""}', c, NULL);
    c.head := made;
    PERFORM holodeck_append_messages(c.number, made, one -> 'messages');
    IF one ? 'attachments' THEN PERFORM holodeck_append_attachments(c.number, made, one -> 'attachments'); END IF;
  END LOOP;
  RETURN c.head;
END $$;

/** Cuts the path before the replaced turn, so that the new turn becomes its sibling. */
CREATE OR REPLACE FUNCTION holodeck_activate_path(of_conversation bigint, path_end bigint) RETURNS void
LANGUAGE sql AS $$
  WITH RECURSIVE path (number, parent) AS (
    SELECT number, parent FROM turns WHERE number = path_end
    UNION ALL SELECT t.number, t.parent FROM turns t JOIN path p ON t.number = p.parent)
  UPDATE turns SET active = (number IN (SELECT number FROM path))::integer
    WHERE conversation = of_conversation AND active <> (number IN (SELECT number FROM path))::integer;
  UPDATE conversations SET message_count = (SELECT count(*) FROM messages m JOIN turns t ON t.number = m.turn
      WHERE m.conversation = of_conversation AND m.is_text = 1 AND t.active = 1)
    WHERE number = of_conversation;
$$;

CREATE OR REPLACE FUNCTION holodeck_take_conversation(o jsonb, c conversations) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  found_turn bigint;
  replaced turns;
BEGIN
  SELECT number INTO found_turn FROM turns
    WHERE conversation = c.number AND status IN ('running', 'waiting') ORDER BY number DESC LIMIT 1;
  IF found_turn IS NOT NULL THEN RETURN holodeck_outcome('busy', found_turn); END IF;
  IF o ? 'replaces' THEN
    SELECT * INTO replaced FROM turns WHERE id = o #>> '{replaces,turnId}' AND conversation = c.number;
    IF replaced.number IS NULL OR c.head IS NULL THEN RETURN '{"outcome": "missing"}'; END IF;
    IF (SELECT id FROM turns WHERE number = c.head) <> o #>> '{replaces,head}' THEN
      RETURN holodeck_outcome('busy', c.head);
    END IF;
    PERFORM holodeck_activate_path(c.number, replaced.parent);
    RETURN jsonb_build_object('head', replaced.parent, 'old', replaced.number);
  END IF;
  IF o #>> '{write,messages,0,clientId}' <> o #>> '{write,messages,0,id}' THEN
    SELECT t.number INTO found_turn FROM turns t JOIN messages m ON m.conversation = t.conversation AND m.turn = t.number
      WHERE m.conversation = c.number AND m.client_id = o #>> '{write,messages,0,clientId}' ORDER BY t.number DESC LIMIT 1;
    IF found_turn IS NOT NULL THEN RETURN holodeck_outcome('busy', found_turn); END IF;
  END IF;
  RETURN jsonb_build_object('head', c.head, 'old', NULL);
END $$;

CREATE OR REPLACE FUNCTION holodeck_begin(o jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  c conversations;
  answer jsonb;
  made bigint;
  old bigint;
  above bigint;
BEGIN
  IF o ? 'again' THEN
    SELECT jsonb_build_object('outcome', CASE WHEN t.runner_id = o ->> 'runner' THEN 'begun' ELSE 'lost' END,
        'version', v.version) INTO answer
      FROM turns t JOIN conversations v ON v.number = t.conversation
      WHERE t.id = o ->> 'turnId' AND t.user_id = o ->> 'userId';
    IF answer IS NOT NULL THEN RETURN answer; END IF;
  END IF;
  IF NOT holodeck_is_alive(o ->> 'runner') THEN RETURN '{"outcome": "lost"}'; END IF;
  answer := coalesce(holodeck_known_key(o), holodeck_over_limit(o));
  IF answer IS NOT NULL THEN RETURN answer; END IF;
  IF o ? 'child' THEN
    SELECT number INTO above FROM turns WHERE id = o #>> '{child,turnId}' AND user_id = o ->> 'userId'
      AND attempt = (o #>> '{child,attempt}')::integer AND status = 'running' FOR KEY SHARE;
    IF above IS NULL THEN RETURN '{"outcome": "taken"}'; END IF;
  END IF;
  IF (o ->> 'isNew')::boolean THEN
    INSERT INTO conversations
      (id, user_id, agent, thread_id, created_at, last_updated, last_activity, message_count, metadata, version, parent)
      VALUES (o ->> 'conversationId', o ->> 'userId', o ->> 'agent', o ->> 'threadId', o ->> 'now', o ->> 'now',
        o ->> 'now', 0, '{}', 1, above) ON CONFLICT DO NOTHING RETURNING * INTO c;
    IF c.number IS NULL THEN
      SELECT t.number INTO made FROM turns t JOIN conversations v ON v.number = t.conversation
        WHERE v.user_id = o ->> 'userId' AND v.agent = o ->> 'agent'
          AND (v.id = o ->> 'conversationId' OR v.thread_id = o ->> 'threadId') ORDER BY t.number DESC LIMIT 1;
      RETURN coalesce(holodeck_known_key(o), holodeck_outcome('busy', made), '{"outcome": "missing"}');
    END IF;
    c.head := holodeck_append_ended(c, o -> 'seed');
  ELSE
    SELECT * INTO c FROM conversations
      WHERE id = o ->> 'conversationId' AND user_id = o ->> 'userId' AND agent = o ->> 'agent' FOR NO KEY UPDATE;
    IF c.number IS NULL THEN RETURN '{"outcome": "missing"}'; END IF;
    answer := holodeck_take_conversation(o, c);
    IF answer ? 'outcome' THEN RETURN coalesce(holodeck_known_key(o), answer); END IF;
    c.head := (answer ->> 'head')::bigint;
    old := (answer ->> 'old')::bigint;
    UPDATE conversations SET version = version + 1, last_activity = greatest(last_activity, o ->> 'now')
      WHERE number = c.number RETURNING version INTO c.version;
  END IF;
  made := holodeck_insert_turn(o, c, old);
  PERFORM holodeck_append(made, o -> 'write');
  RETURN jsonb_build_object('outcome', 'begun', 'version', c.version);
END $$;

CREATE OR REPLACE FUNCTION holodeck_continue(o jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  c conversations;
  t turns;
BEGIN
  IF o ? 'again' THEN
    SELECT v.* INTO c FROM turns x JOIN conversations v ON v.number = x.conversation
      WHERE x.id = o ->> 'turnId' AND x.user_id = o ->> 'userId' AND x.status = 'running'
        AND x.attempt = (o ->> 'attempt')::integer AND x.runner_id = o ->> 'runner' AND holodeck_is_written(o);
    IF c.number IS NOT NULL THEN
      RETURN jsonb_build_object('outcome', 'taken', 'version', c.version, 'conversationId', c.id);
    END IF;
  END IF;
  IF NOT holodeck_is_alive(o ->> 'runner') THEN RETURN '{"outcome": "lost"}'; END IF;
  SELECT * INTO c FROM conversations WHERE number = (SELECT conversation FROM turns
    WHERE id = o ->> 'turnId' AND user_id = o ->> 'userId') FOR NO KEY UPDATE;
  SELECT * INTO t FROM turns WHERE id = o ->> 'turnId' AND conversation = c.number
    AND attempt = (o ->> 'attempt')::integer - 1 AND active = 1 AND status IN ('interrupted', 'waiting') FOR NO KEY UPDATE;
  IF t.number IS NULL OR EXISTS (SELECT 1 FROM turns x WHERE x.conversation = c.number AND x.number <> t.number
    AND x.status IN ('running', 'waiting')) THEN RETURN '{"outcome": "refused"}'; END IF;
  UPDATE conversations SET version = version + 1,
    last_activity = greatest(last_activity, coalesce(o #>> '{write,events,-1,at}', '')) WHERE number = c.number;
  UPDATE turns SET attempt = (o ->> 'attempt')::integer, runner_id = o ->> 'runner', status = 'running'
    WHERE number = t.number;
  PERFORM holodeck_append(t.number, o -> 'write');
  RETURN jsonb_build_object('outcome', 'taken', 'version', c.version + 1, 'conversationId', c.id);
END $$;
`;
