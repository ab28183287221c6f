package dev.runnerset.kube.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.kube.Unreadable;
import io.fabric8.kubernetes.api.model.DefaultKubernetesResourceList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a watch brings is read at once as the kind that it is. */
class ReadResourcesTest {
  private static final String METADATA =
      """
      "metadata": {"name": "a", "resourceVersion": "7", "labels": {"kind": "no"},
        "managedFields": [{"manager": "m", "operation": "Update",
          "fieldsV1": {"f:status": {"f:phase": {}}}}]}\
      """;

  private static final String HEAD =
      "'apiVersion': 'runnerset.dev/v1alpha1', 'kind': 'EphemeralRunner', ";

  private final KubernetesSerialization json = new ReadResources();

  @BeforeEach
  void register() {
    json.registerKubernetesResource(EphemeralRunner.class);
  }

  private Object object(String fields) {
    var event =
        json.unmarshal("{\"type\":\"MODIFIED\",\"object\":{" + fields + "}}", WatchEvent.class);
    assertThat(event.getType()).isEqualTo("MODIFIED");
    return event.getObject();
  }

  @ParameterizedTest
  @ValueSource(classes = {EphemeralRunner.class, Pod.class, Node.class})
  void isOfItsKindAndHasNoManagedFields(Class<? extends HasMetadata> kind) {
    var head =
        "\"apiVersion\": \"%s\", \"kind\": \"%s\", "
            .formatted(HasMetadata.getApiVersion(kind), HasMetadata.getKind(kind));
    assertThat(object(head + METADATA))
        .isInstanceOfSatisfying(
            kind,
            read -> {
              assertThat(read.getMetadata().getName()).isEqualTo("a");
              assertThat(read.getMetadata().getResourceVersion()).isEqualTo("7");
              assertThat(read.getMetadata().getLabels()).containsEntry("kind", "no");
              assertThat(read.getMetadata().getManagedFields()).isEmpty();
            });
  }

  /** The order of fields is a habit of the API server, and no promise. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'kind': 'Pod', 'apiVersion': 'v1', M, 'status': {'phase': 'Running'}",
        "'apiVersion': 'v1', M, 'status': {'phase': 'Running'}, 'kind': 'Pod'",
        "M, 'status': {'phase': 'Running'}, 'kind': 'Pod', 'apiVersion': 'v1'"
      })
  void isOfItsKindInWhicheverOrder(String fields) {
    assertThat(object(fields.replace('\'', '"').replace("M", METADATA)))
        .isInstanceOfSatisfying(
            Pod.class,
            pod -> {
              assertThat(pod.getStatus().getPhase()).isEqualTo("Running");
              assertThat(pod.getMetadata().getName()).isEqualTo("a");
            });
  }

  @Test
  void theEndOfAWatchIsAStatus() {
    assertThat(object("\"kind\": \"Status\", \"apiVersion\": \"v1\", \"code\": 410"))
        .isInstanceOfSatisfying(
            Status.class, status -> assertThat(status.getCode()).isEqualTo(410));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"apiVersion\": \"x.dev/v9\", \"kind\": \"Unheard\", ",
        "\"apiVersion\": \"v1\", \"kind\": \"Service\", ",
        "\"apiVersion\": \"v1\", ",
        "\"kind\": 7, ",
        ""
      })
  void isGenericWhereTheKindIsNotWatched(String head) {
    assertThat(object(head + METADATA))
        .isInstanceOfSatisfying(
            GenericKubernetesResource.class,
            read -> assertThat(read.getMetadata().getName()).isEqualTo("a"));
  }

  /**
   * Whatever stands in an object, it is read: what cannot be is left out, and named.
   *
   * @param fields of spec or status
   * @param says what is wrong
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'spec': {'githubConfigUrl': 'u', 'githubConfigSecret': 'github', 'runnerScaleSetId': 1}"
            + " | spec.githubConfigSecret is \"github\", but must be an object",
        "'spec': {'githubConfigUrl': 'u', 'runnerScaleSetId': 99999999999}"
            + " | spec.runnerScaleSetId is 99999999999, but must be a whole number from -2147483648 to 2147483647",
        "'spec': {'githubConfigUrl': ['u']}"
            + " | spec.githubConfigUrl is a list, but must be a string",
        "'spec': 7, 'status': {'phase': 'Running'} | spec is 7, but must be an object",
        "'spec': {}, 'status': {'conditions': {'type': 'Ready'}}"
            + " | status.conditions is an object, but must be a list",
        "'spec': {}, 'status': {'conditions': [{'type': 'A'}, {'type': {'a': 1}}]}"
            + " | status.conditions[1].type is an object, but must be a string",
        "'spec': {}, 'status': {'requestId': 1e30}"
            + " | status.requestId is 1.0E30, but must be a whole number",
        "'spec': {}, 'status': ['a'] | status is a list, but must be an object"
      })
  void whatCannotBeReadIsLeftOutAndNamed(String fields, String says) {
    assertThat(object((HEAD + METADATA + ", " + fields).replace('\'', '"')))
        .isInstanceOfSatisfying(
            EphemeralRunner.class,
            runner -> {
              assertThat(runner.getMetadata().getName()).isEqualTo("a");
              assertThat(runner.getSpec().githubConfigUrl()).isNotNull();
              assertThat(Unreadable.of(runner).orElseThrow().sentence()).isEqualTo(says);
            });
  }

  /** As of a kind that nobody registered. */
  @Test
  void aTreeIsReadLikeAText() {
    var tree =
        json.unmarshal(
            ("{" + HEAD + METADATA + ", 'spec': {'runnerScaleSetId': 'x'}}").replace('\'', '"'),
            GenericKubernetesResource.class);
    assertThat(Unreadable.of(json.convertValue(tree, EphemeralRunner.class))).isPresent();
  }

  /** Else a condition without a type would be left, which nobody can sort. */
  @Test
  void anItemOfAListIsLeftOutWhole() {
    var conditions =
        "'status': {'conditions': [{'type': 'A', 'status': 'True'}, {'type': {}, 'status': 'True'}]}";
    assertThat(object((HEAD + METADATA + ", 'spec': {}, " + conditions).replace('\'', '"')))
        .isInstanceOfSatisfying(
            EphemeralRunner.class,
            runner -> assertThat(runner.getStatus().conditions()).hasSize(1));
  }

  @Test
  void theOthersOfAListAreReadBesideOneThatCannotBe() {
    var item = "{%s%s, 'spec': {'githubConfigUrl': 'u', 'runnerScaleSetId': %s}}";
    var items =
        Stream.of("1", "'x'", "{}", "[[[]]]", "4")
            .map(id -> item.formatted(HEAD, METADATA, id).replace('\'', '"'))
            .toList();
    var list = list("{\"items\": " + items + ", \"metadata\": {\"resourceVersion\": \"9\"}}");
    assertThat(list.getMetadata().getResourceVersion()).isEqualTo("9");
    assertThat(list.getItems())
        .extracting(runner -> runner.getSpec().runnerScaleSetId())
        .containsExactly(1, 0, 0, 0, 4);
    assertThat(list.getItems())
        .extracting(runner -> Unreadable.of(runner).isPresent())
        .containsExactly(false, true, true, true, false);
  }

  @Test
  void ofALargeObjectSmallFieldsAreRead() {
    var large = "x".repeat(Unreadable.LARGEST);
    var meta =
        METADATA.replaceFirst(
            "\"labels\"",
            "\"finalizers\": [\"f\"], \"annotations\": {\"a\": \"" + large + "\"}, \"labels\"");
    var spec = "'githubConfigUrl': 'u', 'runnerScaleSetId': 7";
    for (var text :
        List.of(
            HEAD + meta + ", 'spec': {" + spec + "}",
            HEAD + METADATA + ", 'spec': {'template': {'a': '" + large + "'}, " + spec + "}")) {
      assertThat(object(text.replace('\'', '"')))
          .isInstanceOfSatisfying(
              EphemeralRunner.class,
              runner -> {
                assertThat(Unreadable.of(runner).orElseThrow())
                    .isInstanceOf(Unreadable.TooLarge.class);
                assertThat(runner.getSpec().runnerScaleSetId()).isEqualTo(7);
                assertThat(runner.getSpec().template()).isNull();
                assertThat(runner.getMetadata().getName()).isEqualTo("a");
              });
    }
  }

  @Test
  void aLargeStatusOfOursIsNoReason() {
    var status = "'status': {'nodeName': '" + "x".repeat(Unreadable.LARGEST) + "'}";
    assertThat(object((HEAD + METADATA + ", 'spec': {}, " + status).replace('\'', '"')))
        .isInstanceOfSatisfying(
            EphemeralRunner.class,
            runner -> {
              assertThat(Unreadable.of(runner)).isEmpty();
              assertThat(runner.getStatus().nodeName()).hasSize(Unreadable.LARGEST);
            });
  }

  @Test
  void aTemplateOfAnyDepthIsReadAndRefused() {
    var deep = "{\"a\": ".repeat(3000) + "1" + "}".repeat(3000);
    assertThat(
            object(HEAD.replace('\'', '"') + METADATA + ", \"spec\": {\"template\": " + deep + "}"))
        .isInstanceOfSatisfying(
            EphemeralRunner.class,
            runner ->
                assertThat(Unreadable.of(runner).orElseThrow().sentence())
                    .startsWith("spec.template"));
  }

  /** As the library hands it over where it watches by plain HTTP. */
  @Test
  void charactersThatTheLibraryPutsIntoAnEventAreLeftOut() {
    var text = "\0\0{\"type\":\"ADDED\",\"object\":{" + HEAD.replace('\'', '"') + METADATA + "}\0}";
    assertThat(json.unmarshal(text, WatchEvent.class).getObject())
        .isInstanceOf(EphemeralRunner.class);
  }

  /** Nobody can forge the note: it is taken from what was read only. */
  @Test
  void annotationsOfOthersAreNotHeld() {
    var meta =
        METADATA.replaceFirst(
            "\"labels\"",
            "\"annotations\": {\"runnerset.dev/a\": \"1\", \"kubectl\": \"2\"}, \"labels\"");
    assertThat(object(HEAD.replace('\'', '"') + meta + ", \"spec\": {}"))
        .isInstanceOfSatisfying(
            EphemeralRunner.class,
            runner ->
                assertThat(runner.getMetadata().getAnnotations())
                    .containsExactly(Map.entry("runnerset.dev/a", "1")));
  }

  private KubernetesResourceList<EphemeralRunner> list(String text) {
    var in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    return json.unmarshal(
        in, new TypeReference<DefaultKubernetesResourceList<EphemeralRunner>>() {});
  }
}
