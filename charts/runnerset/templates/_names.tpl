{{/*
The names of the programs, their accounts and roles. No value changes them: so helm itself refuses a second release
that would act on the same sets, because the cluster roles belong to the first release.
*/}}
{{- define "runnerset.name" -}}runnerset{{- end -}}
{{- define "runnerset.controller" -}}runnerset-controller{{- end -}}
{{- define "runnerset.listener" -}}runnerset-listener{{- end -}}

{{/* The controller's namespace. */}}
{{- define "runnerset.namespace" -}}
{{- .Values.namespaceOverride | default .Release.Namespace -}}
{{- end -}}

{{- define "runnerset.controllerAccount" -}}
{{- .Values.serviceAccount.name | default (include "runnerset.controller" .) -}}
{{- end -}}

{{- define "runnerset.listenerAccount" -}}
{{- .Values.listener.serviceAccount.name | default (include "runnerset.listener" .) -}}
{{- end -}}

{{/* The labels of every object. */}}
{{- define "runnerset.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/name: runnerset
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: runnerset
{{- with .Values.labels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The labels that a Deployment selects its pods by: they can never change. */}}
{{- define "runnerset.selector" -}}
app.kubernetes.io/name: runnerset
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "runnerset.image" -}}
{{- $registry := .root.Values.image.registry | trimSuffix "/" -}}
{{- if $registry }}{{ $registry }}/{{ end -}}
{{ .image.repository }}
{{- if .image.digest }}@{{ .image.digest }}{{ else }}:{{ .image.tag | default .root.Chart.AppVersion }}{{ end }}
{{- end -}}

{{/* When nodes pull an image: no node shall ask a public registry for a name that nobody here holds. */}}
{{- define "runnerset.pullPolicy" -}}
{{- .root.Values.image.pullPolicy | default (ternary "IfNotPresent" "Never" (regexMatch "^[^/]*[.:][^/]*/" .image)) -}}
{{- end -}}

{{/* Seconds of a time as 90s, 5m or 1h30m. */}}
{{- define "runnerset.seconds" -}}
{{- $hours := regexFind "[0-9]+h" . | trimSuffix "h" | default "0" | int -}}
{{- $minutes := regexFind "[0-9]+m" . | trimSuffix "m" | default "0" | int -}}
{{- $seconds := regexFind "[0-9]+s" . | trimSuffix "s" | default "0" | int -}}
{{- add (mul 3600 $hours) (mul 60 $minutes) $seconds -}}
{{- end -}}
