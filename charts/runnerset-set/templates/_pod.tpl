{{/* The pod template: what the user wrote, and beside it what the mode, the service account and the certificate need. A
     name that the user wrote wins: see "set.apply". */}}
{{- define "set.template" -}}
{{- $template := deepCopy .Values.template -}}
{{- range $template.spec.containers -}}
{{- if and (eq .name "runner") (not .image) -}}
{{- $_ := set . "image" "ghcr.io/actions/actions-runner:latest" -}}
{{- if not (or .command .args) }}{{- $_ := set . "command" (list "/home/runner/run.sh") }}{{- end -}}
{{- end -}}
{{- end -}}
{{- $add := dict "root" . "runner" (include "set.runner" $template | fromYaml) -}}
{{- range $part := list "account" "mode" "hookExtension" "certificate" "storage" -}}
{{- include "set.apply" (dict "template" $template "add" (include (printf "set.add.%s" $part) $add | fromYaml)) -}}
{{- end -}}
{{- if .Values.podSecurity -}}
{{- include "set.restrict" $template.spec -}}
{{- end -}}
{{- toYaml $template -}}
{{- end -}}

{{/* What the Pod Security Standard "restricted" asks for. 1001 is the user of the runner's image, which has it by name only, so
     that the kubelet could not know that it is not root. */}}
{{- define "set.restrict" -}}
{{- $_ := merge . (dict "securityContext" (dict "runAsNonRoot" true "runAsUser" 1001 "seccompProfile" (dict "type" "RuntimeDefault"))) -}}
{{- range concat (.initContainers | default list) .containers -}}
{{- $_ := merge . (dict "securityContext" (dict "allowPrivilegeEscalation" false "capabilities" (dict "drop" (list "ALL")))) -}}
{{- end -}}
{{- end -}}

{{/* The container named runner. */}}
{{- define "set.runner" -}}
{{- range .spec.containers }}{{- if eq .name "runner" }}{{ toYaml . }}{{- end }}{{- end -}}
{{- end -}}

{{/* Puts additions into a template. An addition has the fields annotations, spec, volumes, initContainers and runner (its env,
     volumeMounts and resources). What has a name in the template already stays as it is there; init containers that both have are
     one, field by field. */}}
{{- define "set.apply" -}}
{{- $template := .template -}}
{{- $spec := $template.spec -}}
{{- with .add.annotations -}}
{{- if not $template.metadata }}{{- $_ := set $template "metadata" dict }}{{- end -}}
{{- if not $template.metadata.annotations }}{{- $_ := set $template.metadata "annotations" dict }}{{- end -}}
{{- include "set.fill" (dict "to" $template.metadata.annotations "from" .) -}}
{{- end -}}
{{- include "set.fill" (dict "to" $spec "from" .add.spec) -}}
{{- include "set.addNamed" (dict "to" $spec "key" "volumes" "items" .add.volumes) -}}
{{- range $spec.containers -}}
{{- if eq .name "runner" -}}
{{- include "set.addLists" (dict "to" . "from" $.add.runner) -}}
{{- $_ := merge . (omit ($.add.runner | default dict) "env" "volumeMounts") -}}
{{- end -}}
{{- end -}}
{{- with .add.initContainers -}}
{{- $first := list -}}
{{- $names := list -}}
{{- range $ours := . -}}
{{- $container := $ours -}}
{{- range $spec.initContainers -}}
{{- if eq .name $ours.name -}}
{{- include "set.addLists" (dict "to" . "from" $ours) -}}
{{- include "set.fill" (dict "to" . "from" $ours) -}}
{{- $container = . -}}
{{- end -}}
{{- end -}}
{{- $first = append $first $container -}}
{{- $names = append $names $ours.name -}}
{{- end -}}
{{- range $spec.initContainers }}{{- if not (has .name $names) }}{{- $first = append $first . }}{{- end }}{{- end -}}
{{- $_ := set $spec "initContainers" $first -}}
{{- end -}}
{{- end -}}

{{/* Sets the keys that are absent or empty texts. */}}
{{- define "set.fill" -}}
{{- $to := .to -}}
{{- range $key, $value := .from }}{{- if or (not (hasKey $to $key)) (kindIs "invalid" (get $to $key)) (eq (get $to $key | toString) "") }}{{- $_ := set $to $key $value }}{{- end }}{{- end -}}
{{- end -}}

{{/* Adds environment variables and mounts to a container. */}}
{{- define "set.addLists" -}}
{{- if .from -}}
{{- include "set.addNamed" (dict "to" .to "key" "env" "items" .from.env) -}}
{{- include "set.addNamed" (dict "to" .to "key" "volumeMounts" "items" .from.volumeMounts) -}}
{{- end -}}
{{- end -}}

{{/* Adds to a list what has neither a name nor a mount path that is there already. */}}
{{- define "set.addNamed" -}}
{{- $list := get .to .key | default list -}}
{{- $taken := list -}}
{{- range $list }}{{- $taken = concat $taken (list .name (.mountPath | default .name)) }}{{- end -}}
{{- range .items -}}
{{- if not (or (has .name $taken) (has (.mountPath | default .name) $taken)) }}{{- $list = append $list . }}{{- end -}}
{{- end -}}
{{- if $list }}{{- $_ := set .to .key $list }}{{- end -}}
{{- end -}}

{{- define "set.add.account" -}}
spec:
  {{- if include "set.ownsAccount" .root }}
  serviceAccountName: {{ include "set.accountName" .root }}
  {{- end }}
  {{- if include "set.hooks" .root }}
  automountServiceAccountToken: true
  {{- end }}
  {{- if not .root.Values.enableServiceLinks }}
  enableServiceLinks: false
  {{- end }}
{{- end -}}

{{- define "set.add.storage" -}}
{{- with .root.Values.ephemeralStorage }}
{{- if or .request .limit }}
runner:
  resources:
    {{- with .request }}
    requests: {ephemeral-storage: {{ . | quote }}}
    {{- end }}
    {{- with .limit }}
    limits: {ephemeral-storage: {{ . | quote }}}
    {{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "set.add.mode" -}}
{{- with .root.Values.containerMode.type }}{{ include (printf "set.add.%s" .) $ }}{{ end -}}
{{- end -}}

{{/* The daemon is a native side-car: the kubelet starts the runner when the daemon answers, and ends the daemon when the
     runner has ended, so that the pod ends too. 123 is the group docker in the runner's image. */}}
{{- define "set.add.dind" -}}
initContainers:
  - name: init-dind-externals
    image: {{ .runner.image }}
    {{- with .runner.imagePullPolicy }}
    imagePullPolicy: {{ . }}
    {{- end }}
    command: [cp]
    args: [-r, /home/runner/externals/., /home/runner/tmpDir/]
    volumeMounts:
      - {name: dind-externals, mountPath: /home/runner/tmpDir}
  - name: dind
    image: docker:dind
    args: [dockerd, "--host=unix:///var/run/docker.sock", "--group=$(DOCKER_GROUP_GID)"]
    env:
      - {name: DOCKER_GROUP_GID, value: "123"}
    securityContext:
      privileged: true
    restartPolicy: Always
    {{- with .root.Values.containerMode.dindResources }}
    resources: {{- toYaml . | nindent 6 }}
    {{- end }}
    startupProbe:
      exec:
        command: [docker, info]
      periodSeconds: 5
      failureThreshold: 24
    volumeMounts:
      - {name: work, mountPath: /home/runner/_work}
      - {name: dind-sock, mountPath: /var/run}
      - {name: dind-externals, mountPath: /home/runner/externals}
      {{- if .root.Values.containerMode.dindVolume }}
      - {name: dind-storage, mountPath: /var/lib/docker}
      {{- end }}
runner:
  env:
    - {name: DOCKER_HOST, value: "unix:///var/run/docker.sock"}
    - {name: RUNNER_WAIT_FOR_DOCKER_IN_SECONDS, value: "120"}
  volumeMounts:
    - {name: work, mountPath: /home/runner/_work}
    - {name: dind-sock, mountPath: /var/run}
volumes:
  - {name: work, emptyDir: {}}
  - {name: dind-sock, emptyDir: {}}
  - {name: dind-externals, emptyDir: {}}
  {{- with .root.Values.containerMode.dindVolume }}
  - name: dind-storage
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{- define "set.add.kubernetes" -}}
runner:
  env:
    - {name: ACTIONS_RUNNER_CONTAINER_HOOKS, value: /home/runner/k8s/index.js}
    {{- include "set.hookVariables" . | nindent 4 }}
  volumeMounts:
    - {name: work, mountPath: /home/runner/_work}
{{- with .root.Values.containerMode.kubernetesModeWorkVolumeClaim }}
volumes:
  - name: work
    ephemeral:
      volumeClaimTemplate:
        spec:
          {{- toYaml . | nindent 10 }}
{{- end }}
{{- end -}}

{{/* The hook copies the runner's tools into the pod of the job from an image, since there is no volume. */}}
{{- define "set.add.kubernetes-novolume" -}}
runner:
  env:
    - {name: ACTIONS_RUNNER_CONTAINER_HOOKS, value: /home/runner/k8s-novolume/index.js}
    - {name: ACTIONS_RUNNER_IMAGE, value: {{ .runner.image | quote }}}
    {{- include "set.hookVariables" . | nindent 4 }}
{{- end -}}

{{- define "set.hookVariables" -}}
- {name: ACTIONS_RUNNER_POD_NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
- {name: ACTIONS_RUNNER_REQUIRE_JOB_CONTAINER, value: "true"}
{{- end -}}

{{/* The checksum makes a new revision of a changed extension, so that idle runners are replaced. */}}
{{- define "set.add.hookExtension" -}}
{{- with .root.Values.containerMode.kubernetesModeHookExtension }}
annotations:
  runnerset.dev/hook-extension: {{ toYaml . | sha256sum | trunc 16 }}
runner:
  env:
    - {name: ACTIONS_RUNNER_CONTAINER_HOOK_TEMPLATE, value: /home/runner/hook-extension/content}
  volumeMounts:
    - {name: hook-extension, mountPath: /home/runner/hook-extension, readOnly: true}
volumes:
  - name: hook-extension
    configMap:
      name: {{ include "set.hookExtensionName" $.root }}
{{- end }}
{{- end -}}

{{/* A single file, so that the other files of the folder stay. RUNNER_UPDATE_CA_CERTS makes the runner's start script read
     the folder; NODE_EXTRA_CA_CERTS is for the runner's own steps. */}}
{{- define "set.add.certificate" -}}
{{- $tls := .root.Values.githubServerTLS -}}
{{- $source := $tls.certificateFrom.configMapKeyRef -}}
{{- if and $source.name $tls.runnerMountPath }}
{{- $path := clean (printf "%s/%s" $tls.runnerMountPath $source.key) }}
runner:
  env:
    - {name: NODE_EXTRA_CA_CERTS, value: {{ $path | quote }}}
    - {name: RUNNER_UPDATE_CA_CERTS, value: "1"}
  volumeMounts:
    - {name: github-server-tls-cert, mountPath: {{ $path | quote }}, subPath: {{ $source.key | quote }}, readOnly: true}
volumes:
  - name: github-server-tls-cert
    configMap:
      name: {{ $source.name }}
      items:
        - {key: {{ $source.key | quote }}, path: {{ $source.key | quote }}}
{{- end }}
{{- end -}}
