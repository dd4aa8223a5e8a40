-- name: bindings
SELECT * FROM switchyard_rolebinding
WHERE (subject_kind = 'account' AND subject = %(account)s OR subject_kind = 'group' AND subject = ANY(%(groups)s))
  AND (expires_at IS NULL OR expires_at > %(now)s)
ORDER BY subject_kind, subject, role, id
