package dev.runnerset.controller.autoscalingrunnerset.children;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.controller.autoscalingrunnerset.Sets;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.autoscalingrunnerset.status.TemplateFindings;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.AutoScalingRunnerSetSpecBuilder;
import dev.runnerset.crds.StoredTemplate;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.simulator.kube.KubeApiServer;
import dev.runnerset.testsupport.TestClock;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the API server's answer to a dry run says of a template, and when it is asked again. */
class TemplateCheckIT {
  private static final int FOR_EVER = 1000;

  private final KubeApiServer api = KubeApiServer.start(0, Clock.systemUTC());
  private final KubernetesClient client =
      new KubernetesClientBuilder().withConfig(withoutRetries(api.kubeconfig())).build();
  private final AutoScalingRunnerSet set = Sets.set("linux");
  private final TestClock clock = new TestClock(Instant.parse("2026-11-21T12:00:00Z"));
  private final TemplateCheck check = new TemplateCheck(new KubeApi(client), clock, new Memories());

  TemplateCheckIT() {
    set.getMetadata().setNamespace("default");
  }

  private static Config withoutRetries(String kubeconfig) {
    return new ConfigBuilder(Config.fromKubeconfig(kubeconfig))
        .withRequestRetryBackoffLimit(0)
        .build();
  }

  @AfterEach
  void stop() {
    client.close();
    api.close();
  }

  private String reason(String revision) {
    return word(findings(set, revision).refused());
  }

  private TemplateFindings findings(AutoScalingRunnerSet of, String revision) {
    return check.findings(of, revision, false);
  }

  private static String word(@Nullable Finding finding) {
    return finding == null ? "" : finding.reason().word();
  }

  /** A set whose template has that beside its container. */
  private static AutoScalingRunnerSet with(String podSpec) {
    var with =
        Sets.of(
            Serialization.asYaml(Sets.set("linux"))
                .replaceFirst("(?m)^( *)containers:", "$1" + podSpec + "\n$1containers:"));
    with.getMetadata().setNamespace("default");
    with.getMetadata().setUid("uid-linux");
    return with;
  }

  private void apply(String yaml) {
    client.resource("---\n" + yaml).create();
  }

  private void delete(String yaml) {
    client.resource("---\n" + yaml).delete();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "400, TemplateRefused",
    "422, TemplateRefused",
    "403, TemplateForbidden",
    "409, ''",
    "429, TemplateUnchecked",
    "500, TemplateUnchecked",
    "503, TemplateUnchecked",
  })
  void eachAnswerSaysOneThing(int code, String reason) {
    api.faults().failNextWrites("pods", code, FOR_EVER);
    assertThat(reason("a")).isEqualTo(reason);
    assertThat(check.askAgainAt(set).toOptional().isPresent()).isEqualTo(!reason.isEmpty());
  }

  @Test
  void withoutAnAnswerItIsAskedAgainWithBackOffAndNotBefore() {
    api.faults().failNextWrites("pods", 500, 2);
    assertThat(reason("a")).isEqualTo("TemplateUnchecked");
    assertThat(check.askAgainAt(set).toOptional()).contains(clock.instant().plusSeconds(2));
    clock.advance(Duration.ofSeconds(2));
    assertThat(reason("a")).as("the second time").isEqualTo("TemplateUnchecked");
    assertThat(check.askAgainAt(set).toOptional()).contains(clock.instant().plusSeconds(4));
    clock.advance(Duration.ofMillis(3999));
    assertThat(reason("a")).as("not asked").isEqualTo("TemplateUnchecked");
    clock.advance(Duration.ofMillis(1));
    assertThat(reason("a")).isEmpty();
    assertThat(check.askAgainAt(set).toOptional()).isEmpty();
  }

  @Test
  void anotherRevisionIsAskedForAtOnce() {
    api.faults().failNextWrites("pods", 500, 1);
    assertThat(reason("a")).isEqualTo("TemplateUnchecked");
    assertThat(reason("b")).isEmpty();
  }

  private static final String ACCOUNT =
      "{apiVersion: v1, kind: ServiceAccount, metadata: {name: builder, namespace: default}}";
  private static final String PRIORITY =
      "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 9}";
  private static final String WEBHOOK =
      """
      apiVersion: admissionregistration.k8s.io/v1
      kind: ValidatingWebhookConfiguration
      metadata: {name: policy}
      webhooks:
      - name: policy.example.com
        admissionReviewVersions: [v1]
        sideEffects: None
        clientConfig: {service: {name: policy, namespace: default}}
        rules: [{apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE]}]
      """;

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "serviceAccountName: builder, 'service account default/builder', ACCOUNT",
    "priorityClassName: high, no PriorityClass with name high, PRIORITY",
  })
  void whatAPodNamesAndIsNotThereIsReportedAndHealedByMakingIt(
      String podSpec, String words, String repair) {
    var missing = with(podSpec);
    var refused = findings(missing, "a").refused();
    assertThat(word(refused)).as("it may be made in the same batch").isEqualTo("TemplateForbidden");
    assertThat(refused == null ? "" : refused.message()).contains(words);
    apply(repair.equals("ACCOUNT") ? ACCOUNT : PRIORITY);
    clock.advance(TemplateCheck.AGAIN.minusMillis(1));
    assertThat(findings(missing, "a").refused()).as("not asked yet").isNotNull();
    clock.advance(Duration.ofMillis(1));
    assertThat(findings(missing, "a")).isEqualTo(TemplateFindings.NONE);
    assertThat(check.askAgainAt(missing).toOptional()).as("taken: not asked again").isEmpty();
  }

  @Test
  void aFullQuotaRefusesNoTemplateAndIsLookedAtAgain() {
    var quota =
        "{apiVersion: v1, kind: ResourceQuota, metadata: {name: pods, namespace: default},"
            + " spec: {hard: {pods: 0}}}";
    apply(quota);
    assertThat(findings(set, "a").refused()).isNull();
    assertThat(findings(set, "a").quota())
        .contains("exceeded quota: pods")
        .contains("limited: pods=0");
    delete(quota);
    clock.advance(TemplateCheck.AGAIN);
    assertThat(findings(set, "a")).isEqualTo(TemplateFindings.NONE);
  }

  @Test
  void aTypoInTheTemplateIsAWarningAndStopsNothing() {
    var typo = findings(with("restartPolicyy: Never"), "a");
    assertThat(typo.refused()).isNull();
    assertThat(word(typo.warning())).isEqualTo("UnknownFields");
    assertThat(typo.warning() == null ? "" : typo.warning().message())
        .contains("unknown field \"spec.restartPolicyy\"");
    var refusedToo =
        findings(
            with("restartPolicyy: Never, serviceAccountName: builder".replace(", ", "\n      ")),
            "b");
    assertThat(word(refusedToo.warning())).isEqualTo("UnknownFields");
    assertThat(word(refusedToo.refused())).isEqualTo("TemplateForbidden");
  }

  /** A policy or a webhook may come long after the template was taken. */
  @Test
  void aTemplateThatWasTakenIsAskedForAgainWhilePodsAreRefused() {
    assertThat(check.findings(set, "a", false)).isEqualTo(TemplateFindings.NONE);
    apply(WEBHOOK);
    clock.advance(Duration.ofHours(1));
    assertThat(check.findings(set, "a", false))
        .as("no reason to doubt it")
        .isEqualTo(TemplateFindings.NONE);
    assertThat(word(check.findings(set, "a", true).refused())).isEqualTo("TemplateUnchecked");
    delete(WEBHOOK);
    clock.advance(TemplateCheck.AGAIN);
    assertThat(check.findings(set, "a", true)).isEqualTo(TemplateFindings.NONE);
    long asked = asked();
    clock.advance(Duration.ofSeconds(19));
    assertThat(check.findings(set, "a", true)).isEqualTo(TemplateFindings.NONE);
    assertThat(asked()).as("at most every 20 s").isEqualTo(asked);
  }

  /** As these engines answer a request that a policy of theirs refuses. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "Kyverno | 400 | TemplateRefused | admission webhook \"validate.kyverno.svc-fail\" denied the request:"
            + " resource Pod/default/linux was blocked due to the following policies"
            + " require-limits: check-memory: 'validation error: set a memory limit. rule check-memory"
            + " failed at path /spec/containers/0/resources/limits/memory/'",
        "Gatekeeper | 403 | TemplateForbidden | admission webhook \"validation.gatekeeper.sh\" denied the request:"
            + " [repos-are-mine] container <runner> has an invalid image repo, allowed repos are [mine/]",
        "a ValidatingAdmissionPolicy | 422 | TemplateRefused | pods \"linux\" is forbidden:"
            + " ValidatingAdmissionPolicy 'my-rules' with binding 'all' denied request: no :latest"
      })
  void theWordsOfAPolicyAreInTheMessage(String engine, int code, String reason, String words) {
    var kube =
        new KubeApi(client) {
          @Override
          public <T extends HasMetadata> JsonNode strictDryRunCreate(T pod) {
            throw new KubernetesClientException(
                words, code, new StatusBuilder().withCode(code).withMessage(words).build());
          }
        };
    var found = new TemplateCheck(kube, clock, new Memories()).findings(set, "a", false).refused();
    assertThat(word(found)).as(engine).isEqualTo(reason);
    assertThat(found)
        .extracting(Finding::message)
        .asString()
        .contains("no runner of this template is made")
        .endsWith(words);
  }

  /** A webhook takes from a native side-car what makes it one, or changes something else. */
  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "/spec/initContainers/0 | restartPolicy | x | spec.initContainers[dind].restartPolicy | true",
        "/metadata | name | x | metadata.name | true",
        "/spec | terminationGracePeriodSeconds | 7 | spec.terminationGracePeriodSeconds | false",
        "/spec/containers/0 | image | mirror/runner | | false",
        "/spec/containers/0 | imagePullPolicy | Always | | false",
        "/spec | nodeName | added | | false",
      })
  void bg4WhatAWebhookTakesOffOrChangesIsNamed(
      String object, String field, String value, @Nullable String path, boolean refused) {
    var kube =
        new KubeApi(client) {
          @Override
          public <T extends HasMetadata> JsonNode strictDryRunCreate(T pod) {
            var answer = super.strictDryRunCreate(pod);
            ((ObjectNode) answer.at(object)).put(field, value);
            return answer;
          }
        };
    var dind =
        with(
            """
            terminationGracePeriodSeconds: 60
                  initContainers:
                    - {name: dind, image: "docker:dind", restartPolicy: Always}\
            """);
    var template = dind.getSpec().template().tree();
    ((ObjectNode) template.at("/spec/containers/0")).put("imagePullPolicy", "IfNotPresent");
    dind.setSpec(
        AutoScalingRunnerSetSpecBuilder.builder(dind.getSpec())
            .template(StoredTemplate.of(template))
            .build());
    var found = new TemplateCheck(kube, clock, new Memories()).findings(dind, "a", false);
    var finding = refused ? found.refused() : found.warning();
    assertThat(word(finding)).isEqualTo(path == null ? "" : "FieldsChanged");
    assertThat(word(refused ? found.warning() : found.refused())).isEmpty();
    if (finding != null) {
      assertThat(finding.message()).contains(path).contains("a mutating webhook");
    }
  }

  /** No event says that somebody repaired it. */
  @Test
  void bg4AWarningIsOverFiveMinutesAfterTheRepairOfTheWebhookAtTheLatest() {
    var changes = new AtomicBoolean(true);
    var kube =
        new KubeApi(client) {
          @Override
          public <T extends HasMetadata> JsonNode strictDryRunCreate(T pod) {
            var answer = super.strictDryRunCreate(pod);
            if (changes.get()) {
              ((ObjectNode) answer.at("/spec")).put("terminationGracePeriodSeconds", 7);
            }
            return answer;
          }
        };
    var patient = with("terminationGracePeriodSeconds: 60");
    var one = new TemplateCheck(kube, clock, new Memories());
    assertThat(word(one.findings(patient, "a", false).warning())).isEqualTo("FieldsChanged");
    assertThat(one.askAgainAt(patient).toOptional())
        .contains(clock.instant().plus(Duration.ofMinutes(5)));
    changes.set(false);
    clock.advance(Duration.ofMinutes(5).minusMillis(1));
    assertThat(word(one.findings(patient, "a", false).warning())).isEqualTo("FieldsChanged");
    clock.advance(Duration.ofMillis(1));
    assertThat(one.findings(patient, "a", false)).isEqualTo(TemplateFindings.NONE);
    assertThat(one.askAgainAt(patient).toOptional()).as("taken: not asked again").isEmpty();
  }

  private long asked() {
    return api.counters().snapshot().entrySet().stream()
        .filter(e -> e.getKey().toString().contains("pods"))
        .mapToLong(java.util.Map.Entry::getValue)
        .sum();
  }
}
