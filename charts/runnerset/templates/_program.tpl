{{/*
A Deployment of one program, and its budget. Takes: root; component, which is also the container's name; name,
namespace, account; values, the values of the program; port; args, its flags.
*/}}
{{- define "runnerset.program" -}}
{{- $own := .values -}}
{{- $top := .root.Values -}}
{{- $proxy := $top.proxy -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .name }}
  namespace: {{ .namespace }}
  labels:
    {{- include "runnerset.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  replicas: {{ $own.replicaCount }}
  selector:
    matchLabels: {{- include "runnerset.selector" . | nindent 6 }}
  strategy:
    type: RollingUpdate
    rollingUpdate: {maxSurge: 1, maxUnavailable: 0}
  template:
    metadata:
      labels:
        {{- with $own.podLabels | default $top.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
        {{- include "runnerset.labels" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .component }}
      {{- with $own.podAnnotations | default $top.podAnnotations }}
      annotations: {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ .account }}
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ $own.terminationGracePeriodSeconds }}
      {{- with $top.imagePullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $own.priorityClassName | default $top.priorityClassName }}
      priorityClassName: {{ . }}
      {{- end }}
      {{- with $own.podSecurityContext | default $top.podSecurityContext }}
      securityContext: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $own.nodeSelector | default $top.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $own.tolerations | default $top.tolerations }}
      tolerations: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $own.affinity }}
      affinity: {{- toYaml . | nindent 8 }}
      {{- end }}
      topologySpreadConstraints:
        {{- with $own.topologySpreadConstraints }}
        {{- toYaml . | nindent 8 }}
        {{- else }}
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "runnerset.selector" . | nindent 14 }}
        {{- end }}
      containers:
        - name: {{ .component }}
          {{- $image := include "runnerset.image" (dict "root" .root "image" $own.image) }}
          image: {{ $image }}
          imagePullPolicy: {{ include "runnerset.pullPolicy" (dict "root" .root "image" $image) }}
          args:
            {{- range .args }}
            - {{ . | quote }}
            {{- end }}
            {{- range $own.extraArgs }}
            - {{ . | quote }}
            {{- end }}
          env:
            - name: POD_NAME
              valueFrom: {fieldRef: {fieldPath: metadata.name}}
            - name: RUNNERSET_LOG_LEVEL
              value: {{ $own.flags.logLevel | upper }}
            - name: RUNNERSET_LOG_FORMAT
              value: {{ $own.flags.logFormat }}
            {{- with $proxy.http }}
            - name: HTTP_PROXY
              value: {{ . | quote }}
            {{- end }}
            {{- with $proxy.https }}
            - name: HTTPS_PROXY
              value: {{ . | quote }}
            {{- end }}
            {{- with $proxy.noProxy }}
            - name: NO_PROXY
              value: {{ join "," . | quote }}
            {{- end }}
            {{- with $own.env }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          ports:
            - {name: http, containerPort: {{ .port }}}
          # The port is open when the first request to the API server was answered.
          startupProbe:
            httpGet: {path: /healthz, port: http}
            periodSeconds: 2
            failureThreshold: 60
          livenessProbe:
            httpGet: {path: /healthz, port: http}
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
            {{- /* a process that hangs cannot use the grace of the pod */}}
            terminationGracePeriodSeconds: 10
          readinessProbe:
            httpGet: {path: /readyz, port: http}
            periodSeconds: 5
            timeoutSeconds: 5
          {{- with $own.resources }}
          resources: {{- toYaml . | nindent 12 }}
          {{- end }}
          {{- with $own.securityContext | default $top.securityContext }}
          securityContext: {{- toYaml . | nindent 12 }}
          {{- end }}
          volumeMounts:
            - {name: tmp, mountPath: /tmp}
            {{- with $own.volumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
      volumes:
        - name: tmp
          emptyDir: {}
        {{- with $own.volumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
{{- if and $top.podDisruptionBudget.enabled (gt (int $own.replicaCount) 1) }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .name }}
  namespace: {{ .namespace }}
  labels:
    {{- include "runnerset.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{- include "runnerset.selector" . | nindent 6 }}
{{- end }}
{{- end -}}
