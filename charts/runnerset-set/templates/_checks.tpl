{{/* What is refused before anything is rendered. Each sentence says what to change. Types, unknown names and the forms of
     single values are the schema's part (values.schema.json). */}}
{{- define "set.check" -}}
{{- include "set.checkUrl" . -}}
{{- include "set.checkSecret" . -}}
{{- include "set.checkName" . -}}
{{- include "set.checkSize" . -}}
{{- include "set.checkSchedule" . -}}
{{- include "set.checkNetwork" . -}}
{{- include "set.checkMode" . -}}
{{- include "set.checkTemplate" . -}}
{{- end -}}

{{- define "set.checkUrl" -}}
{{- $url := .Values.githubConfigUrl -}}
{{- if not $url -}}
{{- fail "githubConfigUrl is missing: set it to the URL of your organization, repository or enterprise, as https://github.com/my-org" -}}
{{- else if not (regexMatch "^https?://[^/?#\\s]+/+[^/?#\\s]+(/+[^/?#\\s]+)?/*(\\?[^#\\s]*)?$" $url) -}}
{{- fail (printf "githubConfigUrl is '%s': write the URL of an organization, a repository or an enterprise, as https://github.com/my-org or https://github.com/my-org/my-repo" $url) -}}
{{- end -}}
{{- end -}}

{{- define "set.checkSecret" -}}
{{- $secret := .Values.githubConfigSecret -}}
{{- if not $secret -}}
{{- fail (printf "githubConfigSecret is missing: name a secret of the namespace %s, or give githubConfigSecret.github_token, or the three values of a GitHub App: github_app_id, github_app_installation_id and github_app_private_key" (include "set.namespace" .)) -}}
{{- else if kindIs "string" $secret -}}
{{- if not (regexMatch "^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$" $secret) -}}
{{- fail (printf "githubConfigSecret is '%s', which cannot be the name of a secret: write the name alone, in lower case; the secret has to be in the namespace of the set, %s" (trunc 60 $secret) (include "set.namespace" .)) -}}
{{- end -}}
{{- else -}}
{{- include "set.checkSecretMap" $secret -}}
{{- end -}}
{{- end -}}

{{- define "set.checkSecretMap" -}}
{{- $secret := . -}}
{{- $missing := list -}}
{{- $app := false -}}
{{- range $key := list "github_app_id" "github_app_installation_id" "github_app_private_key" -}}
{{- if get $secret $key -}}{{- $app = true -}}{{- else -}}{{- $missing = append $missing $key -}}{{- end -}}
{{- end -}}
{{- if and $app $secret.github_token -}}
{{- fail "githubConfigSecret has both github_token and values of a GitHub App: keep one of the two" -}}
{{- else if and $app $missing -}}
{{- fail (printf "githubConfigSecret has only a part of a GitHub App: %s is missing" (join " and " $missing)) -}}
{{- else if and $app (not (contains "PRIVATE KEY-----" (toString $secret.github_app_private_key))) -}}
{{- fail "githubConfigSecret.github_app_private_key is no private key in PEM form: give the whole content of the file that GitHub made, with its first and last line; on a command line use --set-file" -}}
{{- else if not (or $app $secret.github_token) -}}
{{- fail "githubConfigSecret has no value: give github_token, or github_app_id, github_app_installation_id and github_app_private_key" -}}
{{- end -}}
{{- end -}}

{{- define "set.checkName" -}}
{{- $scaleSet := include "set.scaleSetName" . -}}
{{- if not (regexMatch "^[^\\s&#%+/]{1,100}$" $scaleSet) -}}
{{- fail (printf "runnerScaleSetName is '%s': write 1 to 100 characters without space, &, #, %%, + or /, as linux-x64" $scaleSet) -}}
{{- end -}}
{{- $name := include "set.name" . -}}
{{- if not (regexMatch "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$" $name) -}}
{{- fail (printf "the set would be called '%s', which Kubernetes refuses: set nameOverride to 1 to 63 characters of a-z, 0-9 and -" $name) -}}
{{- end -}}
{{- end -}}

{{- define "set.checkSize" -}}
{{- if gt (int64 .Values.minRunners) (int64 .Values.maxRunners) -}}
{{- fail (printf "minRunners (%d) is greater than maxRunners (%d), which is 10 where you do not set it" (int64 .Values.minRunners) (int64 .Values.maxRunners)) -}}
{{- end -}}
{{- end -}}

{{/* The controller checks time zones, and whether a month has a day: a condition of the set reports errors. */}}
{{- define "set.checkSchedule" -}}
{{- range $i, $window := .Values.schedule -}}
{{- $min := $window.minRunners -}}
{{- $max := $window.maxRunners -}}
{{- $most := int64 $.Values.maxRunners -}}
{{- if not (kindIs "invalid" $max) }}{{- $most = int64 $max -}}{{- end -}}
{{- if not (regexMatch "^[0-9A-Za-z*/,-]+( +[0-9A-Za-z*/,-]+){4}$" $window.start) -}}
{{- fail (printf "schedule[%d].start is '%s': write minute hour day month weekday, as 0 7 * * 1-5" $i $window.start) -}}
{{- else if and (kindIs "invalid" $min) (kindIs "invalid" $max) -}}
{{- fail (printf "schedule[%d] has no effect: give it minRunners or maxRunners, or remove it" $i) -}}
{{- else if and (not (kindIs "invalid" $min)) (gt (int64 $min) $most) -}}
{{- fail (printf "schedule[%d].minRunners (%d) is greater than maxRunners (%d): give the window a maxRunners of its own" $i (int64 $min) $most) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "set.checkNetwork" -}}
{{- range $scheme := list "http" "https" -}}
{{- $proxy := get $.Values.proxy $scheme | default dict -}}
{{- if and $proxy.credentialSecretRef (not $proxy.url) -}}
{{- fail (printf "proxy.%s has credentialSecretRef, but no url" $scheme) -}}
{{- else if and $proxy.url (not (regexMatch "^https?://[^\\s/@]+/?$" $proxy.url)) -}}
{{- fail (printf "proxy.%s.url: write a URL without user, path or space, as http://proxy.example:3128; credentials go into the secret of credentialSecretRef" $scheme) -}}
{{- end -}}
{{- end -}}
{{- $certificate := .Values.githubServerTLS.certificateFrom.configMapKeyRef -}}
{{- if ne (empty $certificate.name) (empty $certificate.key) -}}
{{- fail "githubServerTLS.certificateFrom.configMapKeyRef needs both: the name of a config map and a key of it" -}}
{{- end -}}
{{- end -}}

{{- define "set.checkMode" -}}
{{- $mode := .Values.containerMode -}}
{{- $hooks := include "set.hooks" . -}}
{{- $volumes := list -}}
{{- range .Values.template.spec.volumes }}{{- $volumes = append $volumes .name }}{{- end -}}
{{- if and (eq (toString $mode.type) "kubernetes") (not $mode.kubernetesModeWorkVolumeClaim) (not (has "work" $volumes)) -}}
{{- fail "containerMode.kubernetesModeWorkVolumeClaim is missing: mode kubernetes needs the spec of a claim that runner and job share, as {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}; mode kubernetes-novolume needs none" -}}
{{- else if and $mode.kubernetesModeWorkVolumeClaim (or (ne (toString $mode.type) "kubernetes") (has "work" $volumes)) -}}
{{- fail "containerMode.kubernetesModeWorkVolumeClaim has no effect: it is for mode kubernetes, where the template has no volume work" -}}
{{- else if and $mode.kubernetesModeAdditionalRoleRules (not (and $hooks (include "set.ownsAccount" .))) -}}
{{- fail "containerMode.kubernetesModeAdditionalRoleRules has no effect: it is for the modes kubernetes and kubernetes-novolume, where the template names no serviceAccountName" -}}
{{- else if and $mode.kubernetesModeHookExtension (not $hooks) -}}
{{- fail "containerMode.kubernetesModeHookExtension has no effect: it is for the modes kubernetes and kubernetes-novolume" -}}
{{- end -}}
{{- end -}}

{{- define "set.checkTemplate" -}}
{{- $spec := .Values.template.spec -}}
{{- $names := list -}}
{{- range $spec.containers }}{{- $names = append $names .name }}{{- end -}}
{{- if not (has "runner" $names) -}}
{{- fail (printf "the template has no container named runner (it has: %s): give that name to the container that runs the runner" (join ", " $names)) -}}
{{- else if and (eq (toString .Values.containerMode.type) "dind") (has "dind" $names) -}}
{{- fail "in mode dind the container dind is a side-car: put what you want to change of it among template.spec.initContainers, under the same name" -}}
{{- else if not (has (toString ($spec.restartPolicy | default "Never")) (list "Never")) -}}
{{- fail "template.spec.restartPolicy has no effect: the pod of a runner is never started again; leave it out" -}}
{{- end -}}
{{- include "set.checkTexts" . -}}
{{- include "set.checkVariables" . -}}
{{- end -}}

{{/* Numbers and true where a pod has a text: the API server would refuse the set in words of its schema. */}}
{{- define "set.checkTexts" -}}
{{- range $list := list "initContainers" "containers" -}}
{{- range $container := get $.Values.template.spec $list | default list -}}
{{- if not (kindIs "slice" ($container.env | default list)) -}}
{{- fail (printf "env of the container %s is no list: write it as [{name: A, value: b}]" $container.name) -}}
{{- end -}}
{{- range $variable := $container.env -}}
{{- if not (kindIs "map" $variable) -}}
{{- fail (printf "an entry of env of the container %s is no map: write it as {name: A, value: b}" $container.name) -}}
{{- else if not (or (kindIs "string" $variable.value) (kindIs "invalid" $variable.value)) -}}
{{- fail (printf "the value of the environment variable %s of the container %s is no text: put it into quotes" $variable.name $container.name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Variables that the controller sets in the container runner, whatever the template says. */}}
{{- define "set.checkVariables" -}}
{{- $set := list "ACTIONS_RUNNER_INPUT_JITCONFIG" "ACTIONS_RUNNER_RETURN_VERSION_DEPRECATED_EXIT_CODE" "GITHUB_ACTIONS_RUNNER_EXTRA_USER_AGENT" -}}
{{- $proxy := .Values.proxy -}}
{{- if $proxy.http.url }}{{- $set = concat $set (list "http_proxy" "HTTP_PROXY") }}{{- end -}}
{{- if $proxy.https.url }}{{- $set = concat $set (list "https_proxy" "HTTPS_PROXY") }}{{- end -}}
{{- if $proxy.noProxy }}{{- $set = concat $set (list "no_proxy" "NO_PROXY") }}{{- end -}}
{{- range .Values.template.spec.containers }}
{{- if eq .name "runner" -}}
{{- range .env }}
{{- if has .name $set -}}
{{- fail (printf "the environment variable %s of the container runner has no effect: the controller sets it; leave it out" .name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
