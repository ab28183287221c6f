{{/* Refuses combinations of values that cannot work. Each message says what to change. */}}
{{- define "runnerset.checks" -}}
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

{{- $own := list "--controller-namespace" "--listener-namespace" "--listener-service-account" "--namespace" "--health-port" "--lease-duration" "--renew-deadline" "--retry-period" "--runner-concurrency" "--protection-window" "--feature-gates" "--runner-maximum-gc-age" "--runner-minimum-gc-age" "--runner-gc-period" "--embedded-status" "--poll-timeout" "--credentials-age" "--grace" "--allowed-hosts" -}}
{{- range $where, $args := dict "extraArgs" .Values.extraArgs "listener.extraArgs" .Values.listener.extraArgs -}}
{{- range $args -}}
{{- $flag := first (splitList "=" .) -}}
{{- if has $flag $own -}}
{{- fail (printf "%s: %s has a value of its own in this chart; see values.yaml" $where $flag) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- range $name, $env := dict "env" .Values.env "listener.env" .Values.listener.env -}}
{{- range $env -}}
{{- if has .name (list "POD_NAME" "RUNNERSET_LOG_LEVEL") -}}
{{- fail (printf "%s: %s is set by this chart; for the level use flags.logLevel or listener.flags.logLevel" $name .name) -}}
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
