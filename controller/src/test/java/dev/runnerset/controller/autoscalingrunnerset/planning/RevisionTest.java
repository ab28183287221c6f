package dev.runnerset.controller.autoscalingrunnerset.planning;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.runnerset.controller.autoscalingrunnerset.Sets;
import dev.runnerset.crds.Sha256;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RevisionTest {
  private static final String BASE = Revision.of(Sets.set("a").getSpec());

  private static final String TEMPLATE =
      """
      apiVersion: runnerset.dev/v1alpha1
      kind: AutoScalingRunnerSet
      metadata: {name: a}
      spec:
        githubConfigUrl: https://github.com/my-org
        githubConfigSecret: {name: github}
        template:
          %s
      """;

  @Test
  void isTenHexDigitsAndStaysWhatItIs() {
    // a change of this value would replace every runner of every installation
    assertThat(BASE).matches("[0-9a-f]{10}").isEqualTo("709f33bb0a");
  }

  /** All that counts, with every field of it: no upgrade may begin a rollout (RV1). */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{http: {url: 'http://p:1', credentialSecretRef: {name: s}}, https: {url: 'http://q:2'}, noProxy: [a, b]} | 3eaaae64f8",
        "{https: {url: 'http://q:2'}} | 612586269c"
      })
  void theRevisionOfASpecIsThatOfEveryVersionBefore(String proxy, String revision) {
    var spec =
        Sets.of(
                TEMPLATE.formatted(
                    """
                    metadata: {labels: {team: a}}
                        spec:
                          serviceAccountName: ci
                          containers:
                          - name: runner
                            image: "registry.example/runner:2.335.1"
                            env: [{name: A, value: "1"}]
                            resources: {requests: {cpu: 500m, memory: 1Gi}}
                      proxy: %s
                      githubServerTLS: {certificateFrom: {configMapKeyRef: {name: ca, key: pem}}}
                    """
                        .formatted(proxy)))
            .getSpec();
    assertThat(Revision.of(spec)).isEqualTo(revision);
  }

  /** What was hashed while the template was held typed: an upgrade begins no rollout. */
  @ParameterizedTest
  @MethodSource("seeds")
  void theRevisionIsThatOfTheTypedTemplate(long seed) throws Exception {
    var template = OddTemplates.template(seed);
    var typed =
        new KubernetesSerialization(new ObjectMapper(), false)
            .unmarshal(template.toString(), PodTemplateSpec.class);
    var plain = new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);
    var content = new TreeMap<String, Object>();
    content.put("template", plain.convertValue(plain.valueToTree(typed), Object.class));
    content.put("proxy", null);
    content.put("githubServerTLS", null);
    var before = Sha256.hex(plain.writeValueAsString(content), 10);
    assertThat(revision(template.toString())).as(template.toString()).isEqualTo(before);
  }

  static LongStream seeds() {
    return LongStream.range(0, 200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "minRunners: 3",
        "maxRunners: 7",
        "labels: [x]",
        "mode: Paused",
        "retention: {ttlAfterFailed: 1h}",
        "garbageCollection: {maximumIdleAge: 24h, afterwards: Release}",
        "deadlines: {startup: 1h}",
        "protection: None",
        "runnerGroup: other"
      })
  void whatMakesNoPodDoesNotChangeIt(String line) {
    assertThat(Revision.of(Sets.set("a", line).getSpec())).isEqualTo(BASE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "proxy: {http: {url: 'http://p:1'}}",
        "githubServerTLS: {certificateFrom: {configMapKeyRef: {name: n, key: k}}}",
        "maxLifetime: 24h"
      })
  void whatMakesThePodChangesIt(String line) {
    assertThat(Revision.of(Sets.set("a", line).getSpec())).isNotEqualTo(BASE);
  }

  @Test
  void oneLifetimeInOtherWordsIsNoOtherRevision() {
    assertThat(Revision.of(Sets.set("a", "maxLifetime: 24h").getSpec()))
        .isEqualTo(Revision.of(Sets.set("a", "maxLifetime: 1440m").getSpec()))
        .isNotEqualTo(Revision.of(Sets.set("a", "maxLifetime: 25h").getSpec()));
  }

  @Test
  void theOrderOfKeysDoesNotCountButThatOfItemsDoes() {
    var one =
        revision("spec: {containers: [{name: runner, image: i, env: [{name: A}, {name: B}]}]}");
    var keys =
        revision("spec: {containers: [{env: [{name: A}, {name: B}], image: i, name: runner}]}");
    var items =
        revision("spec: {containers: [{name: runner, image: i, env: [{name: B}, {name: A}]}]}");
    assertThat(keys).isEqualTo(one);
    assertThat(items).isNotEqualTo(one);
    assertThat(revision("metadata: {labels: {b: '1', a: '2'}}\n    spec: {}"))
        .isEqualTo(revision("spec: {}\n    metadata: {labels: {a: '2', b: '1'}}"));
  }

  private static String revision(String template) {
    return Revision.of(Sets.of(TEMPLATE.formatted(template)).getSpec());
  }
}
