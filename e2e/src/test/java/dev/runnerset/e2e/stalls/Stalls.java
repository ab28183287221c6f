package dev.runnerset.e2e.stalls;

import static dev.runnerset.e2e.stalls.Stall.Trait.ALONE;
import static dev.runnerset.e2e.stalls.Stall.Trait.NEW;
import static dev.runnerset.e2e.stalls.Stall.Trait.REAL_SERVER;
import static dev.runnerset.e2e.stalls.Stall.Trait.WARM;

import dev.runnerset.e2e.SeparateSet;
import dev.runnerset.simulator.node.PodFault;
import dev.runnerset.simulator.service.HttpFault;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** What makes a set stall, as far as it can be brought about here. */
final class Stalls {
  private static final Duration A_START = Duration.ofSeconds(45);

  /** What takes so long is left to the test on the real server. */
  private static final Duration LONG = Duration.ofSeconds(60);

  private static final int MANY = -1;
  private static final Duration RETRY_AFTER = Duration.ofSeconds(10);
  private static final Consumer<SeparateSet> SERVICE_WELL = SeparateSet::serviceFaults;

  private Stalls() {}

  /** Each of them. */
  static List<Stall> all() {
    return Stream.of(ofTheService(), ofSessions(), ofThePod(), ofTheRunner(), ofAdmission())
        .flatMap(List::stream)
        .toList();
  }

  /** What is tried in process on sets that are about to be made. */
  static List<Stall> newInProcess() {
    return all().stream().filter(s -> s.id().equals("name-of-another")).toList();
  }

  /** What is tried in process on sets that have run jobs: what any API server can do. */
  static List<Stall> warmInProcess() {
    return all().stream()
        .filter(s -> s.is(WARM) && !s.is(REAL_SERVER) && s.bar().compareTo(LONG) < 0)
        .toList();
  }

  /** All that can be tried where it is. */
  static List<Stall> all(Stall.Trait where) {
    return all().stream().filter(s -> s.is(where)).toList();
  }

  private static List<Stall> ofTheService() {
    return List.of(
        service("credentials-refused", "Unauthorized", e -> HttpFault.answer(e, 401, MANY)),
        service("credentials-too-weak", "Forbidden", e -> HttpFault.answer(e, 403, MANY)),
        service(
            "rate-limit",
            "RateLimited",
            e -> HttpFault.answer(e, 429, MANY).withRetryAfter(RETRY_AFTER)),
        service(
            "secondary-rate-limit",
            "RateLimited",
            e -> HttpFault.answer(e, 403, MANY).withRetryAfter(RETRY_AFTER)),
        service("service-errors", "ServiceUnavailable", e -> HttpFault.answer(e, 503, MANY)),
        service("service-hangs", "ServiceUnavailable", HttpFault::hang)
            // a call that was sent before the repair hangs on for its 20 s
            .within(Stall.BAR.plusSeconds(20)),
        Stall.of(
            "jit-errors",
            "ServiceUnavailable",
            set -> set.serviceFaults(HttpFault.answer("generatejitconfig", 500, MANY)),
            SERVICE_WELL),
        Stall.of(
                "nobody-at-the-url",
                "ConnectionRefused: ",
                SeparateSet::stopService,
                SeparateSet::startService)
            .only(NEW),
        Stall.of("secret-deleted", "SecretNotFound: .*github", secretDeleted(), secretMade()),
        Stall.of(
            "secret-malformed",
            "SecretMalformed: .*github_token",
            set ->
                set.merge(secret(set), "{\"data\": {\"github_token\": null, \"token\": \"eA==\"}}"),
            SeparateSet::makeSecret),
        // its finalizer would keep a binding that is deleted
        Stall.of(
                "role-missing",
                "RoleMissing: .*kubectl create rolebinding",
                set -> set.merge(managerBinding(set), "{\"subjects\": null}"),
                set -> set.world().admit(set.namespace()))
            .within(Duration.ofSeconds(45)) // the lists that the role allows are tried by backoff
            .only(NEW, WARM, REAL_SERVER));
  }

  private static String managerBinding(SeparateSet set) {
    return "{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: %s, namespace: %s}}"
        .formatted("runnerset-manager", set.namespace());
  }

  private static Stall service(String id, String reported, UnaryFault fault) {
    var faults = SeparateSet.ADMINISTRATION.stream().map(fault::at).toArray(HttpFault[]::new);
    return Stall.of(id, reported, set -> set.serviceFaults(faults), SERVICE_WELL);
  }

  /** What is wrong at an endpoint. */
  private interface UnaryFault {
    HttpFault at(String endpoint);
  }

  private static String secret(SeparateSet set) {
    return "{apiVersion: v1, kind: Secret, metadata: {name: %s, namespace: %s}}"
        .formatted(SeparateSet.SECRET, set.namespace());
  }

  private static Consumer<SeparateSet> secretDeleted() {
    return set -> set.delete(secret(set));
  }

  /** As External Secrets does: it recreates it as soon as the former one is gone. */
  private static Consumer<SeparateSet> secretMade() {
    return set -> {
      set.world().settle(Stall.BAR, () -> !set.isThere(secret(set)));
      set.makeSecret();
    };
  }

  private static List<Stall> ofSessions() {
    return List.of(
        Stall.of(
                "session-held",
                "SessionConflict",
                set -> set.service().control().holdSession(set.scaleSet(), "another"),
                set -> set.service().control().freeSession(set.scaleSet()))
            .only(WARM),
        Stall.of(
                "name-of-another",
                "(?i)adopt",
                set -> set.service().control().createForeignScaleSet(SeparateSet.OWNER, set.name()),
                set -> set.service().control().deleteScaleSet(set.scaleSet()))
            .only(NEW),
        Stall.of(
                "poll-hangs",
                "PollUnanswered",
                set -> set.serviceFaults(HttpFault.hang("getMessage")),
                SERVICE_WELL)
            // a poll without an answer is as it should be for 50 s, and doubted after 70 s
            .within(Duration.ofSeconds(80))
            .only(WARM),
        Stall.of(
                "listener-killed",
                "(NotHeld|(?i)lease)",
                set -> set.world().listener().kill(),
                set -> set.world().listener().start())
            .only(WARM, ALONE),
        Stall.of(
                "listener-hangs",
                "(NotHeld|(?i)lease)",
                set -> set.world().listener().signal("STOP"),
                set -> set.world().listener().signal("CONT"))
            .only(WARM, ALONE));
  }

  private static List<Stall> ofThePod() {
    return List.of(
        pod("unschedulable", "Unschedulable: .*Insufficient cpu", new PodFault.Unschedulable()),
        pod("image-pull", "(ErrImagePull|ImagePullBackOff)", new PodFault.ImagePullFails()),
        pod(
            "container-config",
            "CreateContainerConfigError.*settings",
            new PodFault.ConfigFails("configmap \"settings\" not found")),
        pod("stuck-creating", "(StartSlow|ContainerCreating)", new PodFault.StuckCreating())
            // a start may take 25 s from the pod on, which a full machine makes late
            .within(A_START),
        pod("init-container", "(?i)init.*prepare", new PodFault.InitContainerFails(1))
            .withPod("initContainers: [{name: prepare, image: \"busybox:1\"}]"));
  }

  private static Stall pod(String id, String reported, PodFault fault) {
    return Stall.of(id, reported, set -> set.podFault(fault), SeparateSet::noPodFault);
  }

  private static List<Stall> ofTheRunner() {
    return List.of(
        pod("crash", "(?i)(exit code 1|ended with 1|exited? with 1)", new PodFault.ExitsEarly(1)),
        pod("exit-zero", "ExitedWithoutJob", new PodFault.ExitsEarly(0))
            // its end may still be reported within 30 s
            .within(Duration.ofSeconds(60)),
        pod("out-of-memory", "OOMKilled", new PodFault.RunsOutOfMemory()),
        pod("never-registers", "RegistrationOverdue", new PodFault.CannotConnect())
            // a runner may take 20 s to register, from its container on
            .within(A_START),
        Stall.of(
                "max-runners",
                "MaxRunners: .*\\d",
                set -> set.jobs(6, Duration.ofSeconds(20)),
                set ->
                    set.service()
                        .control()
                        .jobs()
                        .forEach(j -> set.service().control().cancel(j.id())))
            .only(WARM));
  }

  private static List<Stall> ofAdmission() {
    return List.of(
        object(
            "quota",
            "quota:? none",
            "{apiVersion: v1, kind: ResourceQuota, metadata: {name: none, namespace: %1$s}, spec: {hard: {pods: \"0\"}}}"),
        object("pod-webhook", "failed calling webhook", SeparateSet.DEAD_POD_WEBHOOK),
        missing(
                "service-account",
                "service ?account",
                "{apiVersion: v1, kind: ServiceAccount, metadata: {name: builder, namespace: %1$s}}")
            .withPod("serviceAccountName: builder"),
        missing(
                "priority-class",
                "PriorityClass",
                "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: %1$s}, value: 1}")
            .withPod("priorityClassName: %1$s")
            // a refused template is tried again after 20 s
            .within(A_START),
        Stall.of(
                "pod-security",
                "PodSecurity",
                set ->
                    set.merge(
                        namespace(set),
                        "{\"metadata\": {\"labels\": {\"pod-security.kubernetes.io/enforce\": \"restricted\"}}}"),
                set ->
                    set.merge(
                        namespace(set),
                        "{\"metadata\": {\"labels\": {\"pod-security.kubernetes.io/enforce\": null}}}"))
            .only(NEW, WARM, REAL_SERVER),
        policy(
            "admission-policy",
            "no runners today",
            """
            resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
            """,
            "false",
            "Invalid"),
        policy(
            "listener-may-not-write",
            "no writes today",
            """
            resourceRules:
            - {apiGroups: [runnerset.dev], apiVersions: ["*"], operations: [UPDATE], resources: [ephemeralrunners/status, ephemeralrunnersets/status]}
            """,
            "!request.userInfo.username.contains('listener')",
            "Forbidden"));
  }

  /** A policy of the cluster's administrator that refuses, in these words, what is not so. */
  private static Stall policy(
      String id, String words, String rules, String expression, String reason) {
    return object(
            id,
            words,
            """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicy
            metadata: {name: %1$s}
            spec:
              failurePolicy: Fail
              matchConstraints:
                namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %1$s}}
            RULES
              validations: [{expression: "EXPRESSION", message: "WORDS", reason: REASON}]
            ---
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicyBinding
            metadata: {name: %1$s}
            spec: {policyName: %1$s, validationActions: [Deny]}
            """
                .replace("RULES", rules.indent(4).stripTrailing())
                .replace("EXPRESSION", expression)
                .replace("REASON", reason)
                .replace("WORDS", words))
        .only(NEW, WARM, REAL_SERVER);
  }

  private static String namespace(SeparateSet set) {
    return "{apiVersion: v1, kind: Namespace, metadata: {name: %s}}".formatted(set.namespace());
  }

  /** An object that is in the way. */
  private static Stall object(String id, String reported, String yaml) {
    return Stall.of(
        id,
        reported,
        set -> set.apply(yaml.formatted(set.namespace())),
        set -> set.delete(yaml.formatted(set.namespace())));
  }

  /** An object that is missing. */
  private static Stall missing(String id, String reported, String yaml) {
    return Stall.of(
            id,
            reported,
            set -> set.delete(yaml.formatted(set.namespace())),
            set -> set.apply(yaml.formatted(set.namespace())))
        .before(set -> set.apply(yaml.formatted(set.namespace())));
  }
}
