{{/* The name of the scale set, which jobs ask for. */}}
{{- define "set.scaleSetName" -}}
{{- .Values.runnerScaleSetName | default .Release.Name -}}
{{- end -}}

{{/* The name of the set, as Kubernetes takes it; "set.checkName" refuses what is too long. */}}
{{- define "set.name" -}}
{{- $name := regexReplaceAllLiteral "[^a-z0-9]+" (include "set.scaleSetName" . | lower) "-" -}}
{{- .Values.nameOverride | default (trimAll "-" $name) -}}
{{- end -}}

{{- define "set.namespace" -}}
{{- .Values.namespaceOverride | default .Release.Namespace -}}
{{- end -}}

{{/* The name of the secret: that of the user, or of the one that this chart makes. */}}
{{- define "set.secretName" -}}
{{- if kindIs "string" .Values.githubConfigSecret -}}
{{- .Values.githubConfigSecret -}}
{{- else -}}
{{- include "set.name" . }}-github
{{- end -}}
{{- end -}}

{{/* "true" where the containers of a job run in pods of their own. */}}
{{- define "set.hooks" -}}
{{- if has .Values.containerMode.type (list "kubernetes" "kubernetes-novolume") -}}true{{- end -}}
{{- end -}}

{{/* "true" where the runner's service account is made by this chart. */}}
{{- define "set.ownsAccount" -}}
{{- if not .Values.template.spec.serviceAccountName -}}true{{- end -}}
{{- end -}}

{{/* The runner's service account, and in the modes with hooks its role and binding. Others write the name of an account into
     labels, which hold 63 characters. A longer name that an older version of this chart gave stays. */}}
{{- define "set.accountName" -}}
{{- $kind := ternary "kube-mode" "no-permission" (eq (include "set.hooks" .) "true") -}}
{{- $name := include "set.name" . -}}
{{- $account := printf "%s-%s" $name $kind -}}
{{- if and (gt (len $account) 63) (not (lookup "v1" "ServiceAccount" (include "set.namespace" .) $account)) -}}
{{- $account = printf "%s-%s-%s" ($name | trunc (int (sub 53 (len $kind))) | trimAll "-") (sha256sum $name | trunc 8) $kind -}}
{{- end -}}
{{- $account -}}
{{- end -}}

{{- define "set.hookExtensionName" -}}
{{- include "set.name" . }}-hook-extension
{{- end -}}

{{/* Namespace, labels and annotations of an object: first the common ones, then its own, and last the ones that nobody may change.
     Arguments: root, name, meta (the key in resourceMeta), labels (of this kind of object; may be absent). */}}
{{- define "set.metadata" -}}
{{- $own := get .root.Values.resourceMeta .meta | default dict -}}
{{- $labels := dict -}}
{{- $annotations := dict -}}
{{- range $from := list .root.Values.labels $own.labels (include "set.reservedLabels" .root | fromYaml) .labels -}}
{{- range $key, $value := $from }}{{- $_ := set $labels $key (toString $value) }}{{- end -}}
{{- end -}}
{{- range $from := list .root.Values.annotations $own.annotations -}}
{{- range $key, $value := $from }}{{- $_ := set $annotations $key (toString $value) }}{{- end -}}
{{- end -}}
name: {{ .name | quote }}
namespace: {{ include "set.namespace" .root }}
labels:
  {{- toYaml $labels | nindent 2 }}
{{- with $annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "set.reservedLabels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/name: {{ include "set.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: runnerset
{{- end -}}

{{/* The fields of a map that are set. */}}
{{- define "set.given" -}}
{{- $given := dict -}}
{{- range $key, $value := . }}{{- if not (kindIs "invalid" $value) }}{{- $_ := set $given $key $value }}{{- end }}{{- end -}}
{{- with $given }}{{ toYaml . }}{{ end -}}
{{- end -}}
