{{- define "switchyard.name" -}}
{{- if contains "switchyard" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-switchyard" .Release.Name | trunc 40 | trimSuffix "-" }}{{ end -}}
{{- end }}

{{- define "switchyard.image" -}}
{{- if .Values.image.digest }}{{ .Values.image.repository }}@{{ .Values.image.digest }}{{ else }}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end -}}
{{- end }}

{{/* Labels that select pods of one kind: (dict "root" $ "component" "worker"). */}}
{{- define "switchyard.selector" -}}
app.kubernetes.io/name: switchyard
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- with .pool }}
switchyard/pool: {{ . }}
{{- end }}
{{- with .region }}
switchyard/region: {{ . }}
{{- end }}
{{- end }}

{{- define "switchyard.labels" -}}
{{ include "switchyard.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{/* What is refused beside the schema: queues without or with two pools, regions without addresses. */}}
{{- define "switchyard.checked" -}}
{{- $taken := list }}
{{- range $name, $pool := .Values.workers }}
{{- range $pool.queues }}
{{- if has . $taken }}{{ fail (printf "workers: two pools take the queue %s; leave it out of one of them." .) }}{{ end }}
{{- $taken = append $taken . }}
{{- end }}
{{- if lt (int $pool.maxReplicas) (int $pool.replicas) }}{{ fail (printf "workers.%s: maxReplicas is less than replicas; raise it." $name) }}{{ end }}
{{- end }}
{{- range list "sync" "constraints" "switch" "housekeeping" "notifications" }}
{{- if not (has . $taken) }}{{ fail (printf "workers: no pool takes the queue %s; add it to the queues of one." .) }}{{ end }}
{{- end }}
{{- if and .Values.regions (not (index .Values.settings "SWITCHYARD_PEER_URLS")) }}
{{- fail "regions: processes of one region ask the others by address; set settings.SWITCHYARD_PEER_URLS to `region=https://…` pairs parted by spaces." }}
{{- end }}
{{- range list "DATABASE_URL" "REDIS_URL" "SWITCHYARD_DATA_URLS" "SWITCHYARD_SECRET_KEY" "SWITCHYARD_OWNER_URL" "SWITCHYARD_HOME" "SWITCHYARD_REGIONS" }}
{{- if hasKey $.Values.settings . }}{{ fail (printf "settings.%s: the chart sets it itself, from the secrets or from `regions`; take it out." .) }}{{ end }}
{{- end }}
{{- range list "SWITCHYARD_ANCHOR_KEY" "SWITCHYARD_ANCHOR_TOKEN" "SWITCHYARD_MAIL_URL" "SWITCHYARD_META_TOKEN" "SWITCHYARD_OIDC_SECRET" "SWITCHYARD_OTLP_HEADERS" "SWITCHYARD_REPORT_KEY" "SWITCHYARD_SENTRY_DSN" "SWITCHYARD_SERVICE_KEY" }}
{{- if hasKey $.Values.settings . }}{{ fail (printf "settings.%s holds a secret; put it into the application secret, and its key under secrets.settings." .) }}{{ end }}
{{- end }}
{{- if and (eq .Values.autoscaling.by "keda") (not .Values.autoscaling.prometheus) }}{{ fail "autoscaling.prometheus: give the address of Prometheus, which KEDA asks." }}{{ end }}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) }}{{ fail "ingress.host: give the host name of the console." }}{{ end }}
{{- end }}
