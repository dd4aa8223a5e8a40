{{/* The environment of a process: (dict "root" $ "region" "" "owner" false). */}}
{{- define "switchyard.environment" -}}
- {name: DATABASE_URL_FILE, value: /run/secrets/switchyard/application_url}
- {name: REDIS_URL_FILE, value: /run/secrets/switchyard/valkey_url}
- {name: SWITCHYARD_DATA_URLS_FILE, value: /run/secrets/switchyard/data_urls}
- {name: SWITCHYARD_SECRET_KEY_FILE, value: /run/secrets/switchyard/secret_key}
{{- if .owner }}
- {name: SWITCHYARD_OWNER_URL_FILE, value: /run/secrets/owner/owner_url}
{{- end }}
- {name: SWITCHYARD_HOME, value: /var/lib/switchyard}
- {name: HOME, value: /tmp}
{{- with .region }}
- {name: SWITCHYARD_REGIONS, value: {{ . | quote }}}
{{- end }}
{{- range $name, $key := .root.Values.secrets.settings }}
- {name: {{ $name }}_FILE, value: /run/secrets/switchyard/{{ $key }}}
{{- end }}
{{- if not (hasKey .root.Values.settings "SWITCHYARD_LOG_FORMAT") }}
- {name: SWITCHYARD_LOG_FORMAT, value: json}
{{- end }}
{{- range $name, $value := .root.Values.settings }}
- {name: {{ $name }}, value: {{ $value | toString | quote }}}
{{- end }}
{{- end }}

{{- define "switchyard.confined" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities: {drop: [ALL]}
{{- end }}

{{- define "switchyard.mounts" -}}
- {name: secrets, mountPath: /run/secrets/switchyard, readOnly: true}
{{- if .owner }}
- {name: owner, mountPath: /run/secrets/owner, readOnly: true}
{{- end }}
- {name: home, mountPath: /var/lib/switchyard}
- {name: tmp, mountPath: /tmp}
{{- end }}

{{/* All of a pod's specification but its containers: (dict "root" $ "owner" false "claim" ""). */}}
{{- define "switchyard.pod" -}}
serviceAccountName: {{ .root.Values.serviceAccountName }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: {{ int64 .root.Values.runAs }}
  runAsGroup: {{ int64 .root.Values.runAs }}
  fsGroup: {{ int64 .root.Values.runAs }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: {type: RuntimeDefault}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
volumes:
  - name: secrets
    secret:
      secretName: {{ .root.Values.secrets.application }}
      defaultMode: 0440
      items:
        - {key: application_url, path: application_url}
        - {key: valkey_url, path: valkey_url}
        - {key: data_urls, path: data_urls}
        - {key: secret_key, path: secret_key}
{{- range $name, $key := .root.Values.secrets.settings }}
        - {key: {{ $key }}, path: {{ $key }}}
{{- end }}
{{- if .owner }}
  - name: owner
    secret:
      secretName: {{ .root.Values.secrets.owner }}
      defaultMode: 0440
      items: [{key: owner_url, path: owner_url}]
{{- end }}
  - name: home
{{- if .claim }}
    persistentVolumeClaim: {claimName: {{ .claim }}}
{{- else }}
    emptyDir: {sizeLimit: 256Mi}
{{- end }}
  - name: tmp
    emptyDir: {sizeLimit: 256Mi}
{{- with .root.Values.nodeSelector }}
nodeSelector: {{ toJson . }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{ toJson . }}
{{- end }}
{{- with .root.Values.topologySpreadConstraints }}
topologySpreadConstraints: {{ toJson . }}
{{- end }}
{{- end }}
