-- What a vote must never be, whatever door it comes through.

CREATE FUNCTION switchyard_vote_guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    asked record;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF (NEW.request_id, NEW.round, NEW.who, NEW.verdict, NEW.digest, NEW.at)
           IS DISTINCT FROM (OLD.request_id, OLD.round, OLD.who, OLD.verdict, OLD.digest, OLD.at)
           OR (OLD.void_reason <> '' AND NEW.void_reason <> OLD.void_reason) THEN
            RAISE EXCEPTION 'a vote is never changed, only made void' USING ERRCODE = 'check_violation';
        END IF;
        RETURN NEW;
    END IF;
    SELECT asked_by, round, digest, closed_at INTO asked
      FROM switchyard_approvalrequest WHERE id = NEW.request_id FOR UPDATE;
    IF lower(asked.asked_by) = lower(NEW.who) THEN
        RAISE EXCEPTION 'whoever asks for approval cannot vote on it' USING ERRCODE = 'check_violation';
    END IF;
    IF asked.closed_at IS NOT NULL THEN
        RAISE EXCEPTION 'the request is closed' USING ERRCODE = 'check_violation';
    END IF;
    IF asked.round <> NEW.round OR asked.digest <> NEW.digest THEN
        RAISE EXCEPTION 'the evidence of this request has changed' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER vote_guard BEFORE INSERT OR UPDATE ON switchyard_approvalvote
    FOR EACH ROW EXECUTE FUNCTION switchyard_vote_guard();

-- A request keeps who asked: changing it would let them vote.
CREATE FUNCTION switchyard_request_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.asked_by, NEW.upgrade_id, NEW.purpose) IS DISTINCT FROM (OLD.asked_by, OLD.upgrade_id, OLD.purpose)
       OR (OLD.closed_at IS NOT NULL AND NEW.closed_at IS DISTINCT FROM OLD.closed_at) THEN
        RAISE EXCEPTION 'a request for approval keeps who asked for what, and its end'
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER request_guard BEFORE UPDATE ON switchyard_approvalrequest
    FOR EACH ROW EXECUTE FUNCTION switchyard_request_guard();
