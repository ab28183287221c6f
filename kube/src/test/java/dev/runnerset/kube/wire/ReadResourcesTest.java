package dev.runnerset.kube.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.EphemeralRunner;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
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
}
