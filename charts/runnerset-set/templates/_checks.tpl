{{/* What is refused before anything is rendered. Each sentence says what to change. Types and unknown names are the schema's
     part (values.schema.json). */}}
{{- define "set.check" -}}
{{- include "set.checkForms" . -}}
{{- include "set.checkUrl" . -}}
{{- include "set.checkSecret" . -}}
{{- include "set.checkName" . -}}
{{- include "set.checkSize" . -}}
{{- include "set.checkLifetime" . -}}
{{- include "set.checkSchedule" . -}}
{{- include "set.checkNetwork" . -}}
{{- include "set.checkMode" . -}}
{{- include "set.checkTemplate" . -}}
{{- end -}}

{{/* The beginning of every template: a key that has no value, or that the values of an older chart lack, gets its default;
     then what cannot work is refused. */}}
{{- define "set.begin" -}}
{{- include "set.defaults" (dict "to" .Values "from" (.Files.Get "files/values.yaml" | fromYaml)) -}}
{{- include "set.check" . -}}
{{- end -}}

{{/* "runnerMountPath" and "clusterRole" without a value mean that there is none. */}}
{{- define "set.defaults" -}}
{{- $to := .to -}}
{{- $none := list "clusterRole" "runnerMountPath" -}}
{{- range $key, $default := .from -}}
{{- $value := index $to $key -}}
{{- if and (kindIs "invalid" $value) (not (has $key $none)) -}}
{{- $_ := set $to $key $default -}}
{{- else if and (kindIs "map" $default) (kindIs "map" $value) (not (has $key $none)) -}}
{{- include "set.defaults" (dict "to" $value "from" $default) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Refuses a value at a path whose text has not the form, which is a regular expression. Arguments: values, path, form, says. */}}
{{- define "set.checkForm" -}}
{{- $value := .values -}}
{{- range splitList "." .path -}}
{{- $value = kindIs "map" $value | ternary (get $value .) "" -}}
{{- end -}}
{{- range kindIs "slice" $value | ternary $value (list $value) -}}
{{- if and . (not (regexMatch $.form (toString .))) -}}
{{- fail (printf "%s is '%s': %s" $.path (trunc 60 (toString .)) $.says) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "set.checkForms" -}}
{{- $v := .Values -}}
{{- range list "deadlines.scheduling" "deadlines.startup" "deadlines.registration" "maxLifetime" "retention.ttlAfterFailed" "retention.ttlAfterSucceeded" "garbageCollection.maximumIdleAge" -}}
{{- include "set.checkForm" (dict "values" $v "path" . "form" "^([0-9]{1,9}(ms|s|m|h)){1,4}$" "says" "write a time of up to four parts, as 30s, 10m or 1h30m") -}}
{{- end -}}
{{- range list "proxy.http.credentialSecretRef" "proxy.https.credentialSecretRef" "githubServerTLS.certificateFrom.configMapKeyRef.name" "controllerServiceAccount.namespace" "controllerServiceAccount.name" "controllerServiceAccount.clusterRole" -}}
{{- include "set.checkForm" (dict "values" $v "path" . "form" "^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$" "says" "write the name of an object, in lower case, as my-name") -}}
{{- end -}}
{{- range list "ephemeralStorage.request" "ephemeralStorage.limit" -}}
{{- include "set.checkForm" (dict "values" $v "path" . "form" "^[0-9]+([.][0-9]+)?([EPTGM]i?|Ki|k)?$" "says" "write an amount of storage, as 10Gi") -}}
{{- end -}}
{{- include "set.checkForm" (dict "values" $v "path" "githubServerTLS.certificateFrom.configMapKeyRef.key" "form" "^[-._a-zA-Z0-9]{1,253}$" "says" "write a key of the config map, as ca.crt") -}}
{{- include "set.checkForm" (dict "values" $v "path" "githubServerTLS.runnerMountPath" "form" "^/[^:]*$" "says" "write the path of a folder, which begins with / and has no colon") -}}
{{- include "set.checkForm" (dict "values" $v "path" "runnerVersion" "form" "^v?[0-9]+[.][0-9]+[.][0-9]+([-+].*)?$" "says" "write the version of the runner, for example 2.338.1") -}}
{{- include "set.checkForm" (dict "values" $v "path" "namespaceOverride" "form" "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$" "says" "write 1 to 63 characters of a-z, 0-9 and -") -}}
{{- include "set.checkForm" (dict "values" $v "path" "scaleSetLabels" "form" "^\\S*$" "says" "a label has no space: write it as gpu-large, or write two labels") -}}
{{- end -}}

{{- define "set.checkUrl" -}}
{{- $url := .Values.githubConfigUrl -}}
{{- if not $url -}}
{{- fail "githubConfigUrl is missing: set it to the URL of your organization, repository or enterprise, as https://github.com/my-org" -}}
{{- else if not (regexMatch "^https?://[^/?#\\s]+/+[^/?#\\s]+(/+[^/?#\\s]+)?/*(\\?[^#\\s]*)?$" $url) -}}
{{- fail (printf "githubConfigUrl is '%s': write the URL of an organization, a repository or an enterprise, as https://github.com/my-org or https://github.com/my-org/my-repo" $url) -}}
{{- else if regexMatch "(?i)[.]git/*([?].*)?$" $url -}}
{{- fail (printf "githubConfigUrl is '%s', the address of a clone: write that of the page, without .git, as https://github.com/my-org/my-repo" $url) -}}
{{- else if regexMatch "(?i)^https?://(api[.](github[.]com|[^/?#]+[.]ghe[.]com)(:[0-9]*)?/|[^/?#]+/+(api|organizations|orgs|repos|settings|users)/+[^/?#])" $url -}}
{{- fail (printf "githubConfigUrl is '%s', the address of a page or of the API: write https://github.com/my-org, https://github.com/my-org/my-repo or https://github.com/enterprises/my-enterprise, or the same with the host of your server" $url) -}}
{{- end -}}
{{- include "set.checkPort" (dict "name" "githubConfigUrl" "url" $url) -}}
{{- end -}}

{{/* Of a URL: no port, or one of 1 to 65535. */}}
{{- define "set.checkPort" -}}
{{- $port := regexFind ":[0-9]+([/?#]|$)" (regexFind "^https?://[^/?#]*" .url) | trimPrefix ":" | trimAll "/?#" -}}
{{- if and $port (or (gt (len (trimPrefix "0" $port)) 5) (lt (atoi $port) 1) (gt (atoi $port) 65535)) -}}
{{- fail (printf "the port of %s is %s: write a port of 1 to 65535" .name $port) -}}
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

{{- define "set.checkLifetime" -}}
{{- $milliseconds := dict "ms" 1 "s" 1000 "m" 60000 "h" 3600000 -}}
{{- $time := 0 -}}
{{- range regexFindAll "[0-9]+(ms|s|m|h)" (.Values.maxLifetime | default "") -1 -}}
{{- $time = add $time (mul (regexFind "[0-9]+" . | atoi) (get $milliseconds (regexFind "[a-z]+" .))) -}}
{{- end -}}
{{- if and .Values.maxLifetime (or (lt $time (mul 30 60000)) (gt $time (mul 8760 3600000))) -}}
{{- fail (printf "maxLifetime is '%s': write a time from 30m to 8760h, which is a year" .Values.maxLifetime) -}}
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
{{- else if not (regexMatch "^([0-9]{1,9}(ms|s|m|h)){1,4}$" $window.duration) -}}
{{- fail (printf "schedule[%d].duration is '%s': write a time of up to four parts, as 30m or 12h" $i $window.duration) -}}
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
{{- include "set.checkPort" (dict "name" (printf "proxy.%s.url" $scheme) "url" ($proxy.url | default "")) -}}
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
{{- else if and (or $mode.dindVolume $mode.dindResources) (ne (toString $mode.type) "dind") -}}
{{- fail "containerMode.dindVolume and containerMode.dindResources have no effect: they are for mode dind" -}}
{{- else if and .Values.podSecurity (eq (toString $mode.type) "dind") -}}
{{- fail "podSecurity is restricted, and the daemon of mode dind is privileged: use mode kubernetes or kubernetes-novolume, or leave podSecurity out" -}}
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
