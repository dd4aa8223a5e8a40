-- name: take
INSERT INTO switchyard_receiverclaim AS claim (receiver, slot, holder, until)
VALUES (%(receiver)s, %(slot)s, %(holder)s, clock_timestamp() + make_interval(secs => %(seconds)s))
ON CONFLICT (receiver, slot) DO UPDATE SET holder = excluded.holder, until = excluded.until
WHERE claim.until <= clock_timestamp()

-- name: release
DELETE FROM switchyard_receiverclaim
WHERE (receiver = %(receiver)s AND holder = %(holder)s) OR until < clock_timestamp() - interval '1 hour'
