package dev.runnerset.controller.ephemeralrunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerSituation;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How our finalizer goes (WR6). */
final class FinalizerRemovalTest {
  private final List<String> requests = new ArrayList<>();

  /** The codes of the answers to patches, then none: they succeed. */
  private final Deque<Integer> refusals = new ArrayDeque<>();

  private @Nullable EphemeralRunner stored;

  private final FinalizerRemoval removal =
      new FinalizerRemoval(
          new KubeApi(null) {
            @Override
            public <T extends HasMetadata> T merge(Class<T> kind, Resource at, JsonNode body) {
              requests.add(body.toString());
              if (!refusals.isEmpty()) {
                throw new KubernetesClientException("refused", refusals.remove(), null);
              }
              return kind.cast(new EphemeralRunner());
            }

            @Override
            public <T extends HasMetadata> @Nullable T get(Class<T> kind, Resource at) {
              requests.add("get");
              return stored == null ? null : kind.cast(stored);
            }
          });

  private static EphemeralRunner runner(String version, String... finalizers) {
    var runner = RunnerSituation.of("terminating version=" + version).observed().runner();
    runner.getMetadata().setFinalizers(List.of(finalizers));
    return runner;
  }

  private static String patch(String version, String finalizers) {
    return "{\"metadata\":{\"resourceVersion\":\"%s\",\"finalizers\":[%s]}}"
        .formatted(version, finalizers);
  }

  @Test
  void itGoesByOnePatchThatNamesTheVersionThatWasRead() {
    removal.from(runner("5", Labels.RUNNER_FINALIZER, "foregroundDeletion"));
    assertThat(requests).containsExactly(patch("5", "\"foregroundDeletion\""));
  }

  @Test
  void ofARunnerThatHasChangedItGoesByAnotherPatch() {
    refusals.add(409);
    stored = runner("6", "foregroundDeletion", Labels.RUNNER_FINALIZER);
    removal.from(runner("5", Labels.RUNNER_FINALIZER));
    assertThat(requests)
        .containsExactly(patch("5", ""), "get", patch("6", "\"foregroundDeletion\""));
  }

  @Test
  void ofARunnerThatIsGoneNothingIsLeftToDo() {
    refusals.add(404);
    removal.from(runner("5", Labels.RUNNER_FINALIZER));
    assertThat(requests).containsExactly(patch("5", ""), "get");

    requests.clear();
    refusals.add(409);
    stored = runner("9", Labels.RUNNER_FINALIZER);
    stored.getMetadata().setUid("another");
    removal.from(runner("5", Labels.RUNNER_FINALIZER));
    assertThat(requests).as("one of the same name").containsExactly(patch("5", ""), "get");
  }

  @Test
  void aFailureIsThrownAndThePassIsRepeated() {
    refusals.add(503);
    assertThatThrownBy(() -> removal.from(runner("5", Labels.RUNNER_FINALIZER)))
        .hasMessage("refused");
  }
}
