-- Whoever planned an upgrade votes on it as little as whoever asks.
CREATE OR REPLACE FUNCTION switchyard_vote_guard() RETURNS trigger LANGUAGE plpgsql AS $$
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
    SELECT request.asked_by, request.round, request.digest, request.closed_at, upgrade.created_by INTO asked
      FROM switchyard_approvalrequest request JOIN switchyard_upgrade upgrade ON upgrade.id = request.upgrade_id
     WHERE request.id = NEW.request_id FOR UPDATE OF request;
    IF lower(asked.asked_by) = lower(NEW.who) THEN
        RAISE EXCEPTION 'whoever asks for approval cannot vote on it' USING ERRCODE = 'check_violation';
    END IF;
    IF lower(asked.created_by) = lower(NEW.who) THEN
        RAISE EXCEPTION 'whoever planned the upgrade cannot vote on it' USING ERRCODE = 'check_violation';
    END IF;
    IF asked.closed_at IS NOT NULL THEN
        RAISE EXCEPTION 'the request is closed' USING ERRCODE = 'check_violation';
    END IF;
    IF asked.round <> NEW.round OR asked.digest <> NEW.digest THEN
        RAISE EXCEPTION 'the evidence of this request has changed' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

-- An upgrade keeps who planned it: changing that would let them vote.
CREATE FUNCTION switchyard_planner_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.created_by IS DISTINCT FROM OLD.created_by THEN
        RAISE EXCEPTION 'an upgrade keeps who planned it' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER planner_guard BEFORE UPDATE OF created_by ON switchyard_upgrade
    FOR EACH ROW EXECUTE FUNCTION switchyard_planner_guard();
