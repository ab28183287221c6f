{{/* Refuses combinations of values that cannot work. Each message says what to change. */}}
{{- define "runnerset.check" -}}
{{- include "runnerset.checkForms" . -}}
{{- range $where, $account := dict "serviceAccount" .Values.serviceAccount "listener.serviceAccount" .Values.listener.serviceAccount -}}
{{- if eq $account.name "default" -}}
{{- fail (printf "%s.name is 'default': every pod of the namespace would have its rights; name an account of its own" $where) -}}
{{- end -}}
{{- if and (not $account.create) (not $account.name) -}}
{{- fail (printf "%s.create is false: set %s.name to the account that exists" $where $where) -}}
{{- end -}}
{{- end -}}

{{- range $where, $flags := dict "flags" .Values.flags "listener.flags" .Values.listener.flags -}}
{{- $lease := include "runnerset.seconds" $flags.leaseDuration | int -}}
{{- $renew := include "runnerset.seconds" $flags.renewDeadline | int -}}
{{- $retry := include "runnerset.seconds" $flags.retryPeriod | int -}}
{{- if or (le $lease $renew) (le $renew $retry) (le $retry 0) -}}
{{- fail (printf "%s.leaseDuration must be longer than %s.renewDeadline, and that longer than %s.retryPeriod, which must be positive" $where $where $where) -}}
{{- end -}}
{{- end -}}

{{- $maximum := include "runnerset.seconds" .Values.flags.runnerMaximumGCAge | int -}}
{{- if and (gt $maximum 0) (not (index .Values.flags.featureGates "RunnerMaximumGCAge")) -}}
{{- fail "flags.runnerMaximumGCAge is set, but the feature gate is off: set flags.featureGates.RunnerMaximumGCAge to true, or leave the age out" -}}
{{- end -}}

{{- $grace := include "runnerset.seconds" .Values.listener.flags.grace | int -}}
{{- if lt (int .Values.listener.terminationGracePeriodSeconds) (int (add $grace 10)) -}}
{{- fail (printf "listener.terminationGracePeriodSeconds must be at least %d, 10 more than listener.flags.grace: else sessions stay open and block the next listener" (int (add $grace 10))) -}}
{{- end -}}

{{- $own := list "--controller-namespace" "--listener-namespace" "--listener-service-account" "--namespace" "--health-port" "--lease-duration" "--renew-deadline" "--retry-period" "--runner-concurrency" "--protection-window" "--feature-gates" "--runner-maximum-gc-age" "--runner-minimum-gc-age" "--runner-gc-period" "--embedded-status" "--node-taints" "--leaving-node-taints" "--fixed-nodes" "--poll-timeout" "--credentials-age" "--grace" "--allowed-hosts" "--usage-repositories" -}}
{{- range $where, $args := dict "extraArgs" .Values.extraArgs "listener.extraArgs" .Values.listener.extraArgs -}}
{{- range $args -}}
{{- $flag := first (splitList "=" .) -}}
{{- if has $flag $own -}}
{{- fail (printf "%s: %s has a value of its own in this chart; see values.yaml" $where $flag) -}}
{{- end -}}
{{- $known := eq $where "extraArgs" | ternary (list "--identity" "--kubeconfig") (list "--identity" "--kubeconfig" "--lease-name") -}}
{{- if not (has $flag $known) -}}
{{- fail (printf "%s: the program has no flag %s; there are %s" $where $flag (join ", " $known)) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- $gates := list "RunnerMaximumGCAge" -}}
{{- range $gate, $_ := .Values.flags.featureGates -}}
{{- if not (has $gate $gates) -}}
{{- fail (printf "flags.featureGates: there is no feature gate %s; there is %s" $gate (join ", " $gates)) -}}
{{- end -}}
{{- end -}}

{{- range $name, $env := dict "env" .Values.env "listener.env" .Values.listener.env -}}
{{- range $env -}}
{{- if has .name (list "POD_NAME" "RUNNERSET_LOG_LEVEL" "RUNNERSET_LOG_FORMAT") -}}
{{- fail (printf "%s: %s is set by this chart; for logs use logLevel and logFormat in flags and listener.flags" $name .name) -}}
{{- end -}}
{{- if and (has .name (list "HTTP_PROXY" "HTTPS_PROXY" "NO_PROXY")) (or $.Values.proxy.http $.Values.proxy.https $.Values.proxy.noProxy) -}}
{{- fail (printf "%s: %s and the value proxy are both set: use one of them" $name .name) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* Two controllers over one set: refused as far as it is seen. `helm template` sees no cluster. */ -}}
{{- $here := include "runnerset.namespace" . -}}
{{- if not .Values.flags.watchSingleNamespace -}}
{{- range (lookup "apps/v1" "Deployment" "" "").items -}}
{{- if and (eq .metadata.name (include "runnerset.controller" $)) (ne .metadata.namespace $here) (eq (dig "labels" "app.kubernetes.io/part-of" "" .metadata) "runnerset") -}}
{{- fail (printf "namespace %s has a controller of runnerset already, and two would see the same sets: uninstall that release, or set flags.watchSingleNamespace here and there" .metadata.namespace) -}}
{{- end -}}
{{- end -}}
{{- else if or .Values.crds.install .Values.shield.admissionPolicy -}}
{{- /* only who makes cluster-scoped objects is sure to be allowed to read them */ -}}
{{- range (lookup "rbac.authorization.k8s.io/v1" "ClusterRoleBinding" "" (include "runnerset.controller" .)).subjects -}}
{{- if ne .namespace $here -}}
{{- fail (printf "the controller of namespace %s watches all namespaces, that of flags.watchSingleNamespace too: uninstall that release, or set flags.watchSingleNamespace there" .namespace) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The beginning of every template: a key that has no value, or that the values of an older chart lack, gets its default;
     then what cannot work is refused. */}}
{{- define "runnerset.begin" -}}
{{- include "runnerset.defaults" (dict "to" .Values "from" (.Files.Get "files/values.yaml" | fromYaml)) -}}
{{- include "runnerset.check" . -}}
{{- end -}}

{{/* Of a security context, of resources, labels and annotations nothing is filled in: null takes a default away there. */}}
{{- define "runnerset.defaults" -}}
{{- $to := .to -}}
{{- $none := list "podSecurityContext" "securityContext" "resources" "labels" "annotations" -}}
{{- range $key, $default := .from -}}
{{- $value := index $to $key -}}
{{- if and (kindIs "invalid" $value) (not (has $key $none)) -}}
{{- $_ := set $to $key $default -}}
{{- else if and (kindIs "map" $default) (kindIs "map" $value) (not (has $key $none)) -}}
{{- include "runnerset.defaults" (dict "to" $value "from" $default) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Refuses a value at a path whose text has not the form, which is a regular expression. Arguments: values, path, form, says. */}}
{{- define "runnerset.checkForm" -}}
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

{{- define "runnerset.checkForms" -}}
{{- $v := .Values -}}
{{- range list "flags.leaseDuration" "flags.renewDeadline" "flags.retryPeriod" "flags.protectionWindow" "flags.runnerMaximumGCAge" "flags.runnerMinimumGCAge" "flags.runnerGCPeriod" "listener.flags.leaseDuration" "listener.flags.renewDeadline" "listener.flags.retryPeriod" "listener.flags.pollTimeout" "listener.flags.credentialsAge" "listener.flags.grace" -}}
{{- include "runnerset.checkForm" (dict "values" $v "path" . "form" "^([0-9]+h([0-9]+m)?([0-9]+s)?|[0-9]+m([0-9]+s)?|[0-9]+s)$" "says" "write a time as 90s, 5m or 1h30m") -}}
{{- end -}}
{{- range list "namespaceOverride" "serviceAccount.name" "flags.watchSingleNamespace" "rbac.setNamespaces" "listener.namespace" "listener.serviceAccount.name" -}}
{{- include "runnerset.checkForm" (dict "values" $v "path" . "form" "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$" "says" "write 1 to 63 characters of a-z, 0-9 and -, as my-name") -}}
{{- end -}}
{{- include "runnerset.checkForm" (dict "values" $v "path" "allowedHosts" "form" "^((\\*\\.)?[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?|\\[[0-9A-Fa-f:.]+\\])(:[1-9][0-9]{0,4})?$" "says" "it names no host: write github.example.com, github.example.com:8443 or *.example.com; write an IPv6 address in brackets") -}}
{{- include "runnerset.checkForm" (dict "values" $v "path" "listener.flags.usageRepositories" "form" "^(\\*|[A-Za-z0-9._-]+/(\\*|[A-Za-z0-9._-]+))$" "says" "it names no repository: write my-org/my-repo, my-org/* or *") -}}
{{- range $host := .Values.allowedHosts -}}
{{- if gt (atoi (regexFind ":[0-9]+$" $host | trimPrefix ":" | default "1")) 65535 -}}
{{- fail (printf "allowedHosts is '%s': write a port of 1 to 65535" $host) -}}
{{- end -}}
{{- end -}}
{{- $kept := list "DeletionCandidateOfClusterAutoscaler" "kubernetes.azure.com/scalesetpriority" "cloud.google.com/gke-spot" "cloud.google.com/gke-preemptible" "eks.amazonaws.com/compute-type" "node-role.kubernetes.io/control-plane" "node.kubernetes.io/unschedulable" "nvidia.com/gpu" -}}
{{- range $key := .Values.nodes.leavingTaints -}}
{{- if not (regexMatch "^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?|\\*)$" (toString $key)) -}}
{{- fail (printf "nodes.leavingTaints has '%s': write the key of a taint alone, as example.com/going or example.com/*" (trunc 60 (toString $key))) -}}
{{- end -}}
{{- range $kept -}}
{{- if or (eq . $key) (and (hasSuffix "*" $key) (hasPrefix (trimSuffix "*" $key) .)) -}}
{{- fail (printf "nodes.leavingTaints has '%s', but %s does not announce the end of a node: leave it out" $key .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- include "runnerset.checkForm" (dict "values" $v "path" "image.registry" "form" "^[A-Za-z0-9][A-Za-z0-9._-]*(:[0-9]+)?(/[a-z0-9._-]+)*/?$" "says" "write a registry without https:// and without the name of an image, as registry.example/team") -}}
{{- range list "image" "listener.image" -}}
{{- include "runnerset.checkForm" (dict "values" $v "path" (printf "%s.digest" .) "form" "^sha256:[0-9a-f]{64}$" "says" "write sha256: and 64 digits of 0-9 and a-f") -}}
{{- include "runnerset.checkForm" (dict "values" $v "path" (printf "%s.repository" .) "form" "^([^/]*/)*[^/:@]*$" "says" (printf "write it without a tag or a digest, and the tag in %s.tag, the digest in %s.digest" . .)) -}}
{{- include "runnerset.checkForm" (dict "values" $v "path" (printf "%s.tag" .) "form" "^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$" "says" "write the tag alone, as 1.2.3") -}}
{{- end -}}
{{- range list "proxy.http" "proxy.https" -}}
{{- include "runnerset.checkForm" (dict "values" $v "path" . "form" "^https?://[^@]+$" "says" "write a URL without user, as http://proxy.example:3128") -}}
{{- end -}}
{{- include "runnerset.checkForm" (dict "values" $v "path" "metrics.podMonitor.interval" "form" "^([0-9]+(ms|s|m|h))+$" "says" "write a time as 30s") -}}
{{- range $path := list "labels" "podLabels" "listener.podLabels" "metrics.podMonitor.labels" "prometheusRule.labels" "dashboard.labels" -}}
{{- $labels := $v -}}
{{- range splitList "." $path }}{{- $labels = get $labels . }}{{- end -}}
{{- range $key, $value := $labels | default dict -}}
{{- if not (regexMatch "^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$" (toString $value)) -}}
{{- fail (printf "the label %s of %s is '%s': write at most 63 characters of a-z, A-Z, 0-9, -, _ and ., a letter or digit first and last" $key $path (trunc 70 (toString $value))) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
