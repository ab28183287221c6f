{{/* The first part of all names. */}}
{{- define "runnerset.name" -}}
{{- .Values.fullnameOverride | default "runnerset" | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "runnerset.controller" -}}
{{ include "runnerset.name" . }}-controller
{{- end -}}

{{- define "runnerset.listener" -}}
{{ include "runnerset.name" . }}-listener
{{- end -}}

{{- define "runnerset.controllerAccount" -}}
{{- .Values.serviceAccount.name | default (include "runnerset.controller" .) -}}
{{- end -}}

{{- define "runnerset.listenerAccount" -}}
{{- .Values.listener.serviceAccount.name | default (include "runnerset.listener" .) -}}
{{- end -}}

{{/* The labels of every object; a part of the product has one label more, see below. */}}
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

{{/* The labels that a Deployment selects its pods by; they can never change. */}}
{{- define "runnerset.selector" -}}
app.kubernetes.io/name: runnerset
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "runnerset.image" -}}
{{- $registry := .root.Values.image.registry | trimSuffix "/" -}}
{{- if $registry }}{{ $registry }}/{{ end }}{{ .image.repository }}:{{ .image.tag | default .root.Chart.AppVersion }}
{{- end -}}
