package dev.runnerset.controller.passes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.crds.AutoScalingListener;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a pass that fails is reported, and in which words. */
final class FailedPassesTest {
  private final FailedPasses passes = new FailedPasses();
  private final AutoScalingListener object = new AutoScalingListener();
  private final List<String> reported = new ArrayList<>();

  FailedPassesTest() {
    object.setMetadata(new ObjectMetaBuilder().withName("a").withUid("uid-1").build());
  }

  private void pass(boolean fails) {
    try {
      var _ =
          passes.run(
              object,
              (about, reason, message) -> reported.add(reason.word()),
              () -> {
                if (fails) {
                  throw new IllegalStateException("ghp_secret");
                }
                return "done";
              });
    } catch (IllegalStateException e) {
      assertThat(fails).isTrue();
    }
  }

  private void passes(String outcomes) {
    outcomes.chars().forEach(outcome -> pass(outcome == 'x'));
  }

  @Test
  void theThirdFailureInARowIsReportedAndEachAfterIt() {
    passes("xx");
    assertThat(reported).isEmpty();
    passes("xx");
    assertThat(reported).containsExactly("PassFailed", "PassFailed");
  }

  @Test
  void aPassThatDoesNotFailBeginsTheCountAgain() {
    passes("xx.xx.xx");
    assertThat(reported).isEmpty();
  }

  @Test
  void theFailureOfThePassIsThrownAlsoIfItCannotBeReported() {
    passes("xx");
    assertThatThrownBy(() ->
            passes.run(
                object,
                () -> {
                  throw new IllegalStateException("the pass");
                },
                e -> {
                  throw new IllegalArgumentException("the telling");
                }))
        .hasMessage("the pass")
        .hasSuppressedException(new IllegalArgumentException("the telling"));
  }

  @Test
  void theWordsOfOurOwnExceptionsAreNotReported() {
    assertThat(FailedPasses.words(new IllegalStateException("ghp_secret")))
        .contains("(FailedPassesTest.theWordsOfOurOwnExceptionsAreNotReported", "controller's log")
        .doesNotContain("ghp_secret", "IllegalState");
  }

  @Test
  void theWordsOfTheApiServerAreReported() {
    assertThat(FailedPasses.words(new KubernetesClientException("no more pods", 403, null)))
        .startsWith("The API server refuses a request each time")
        .endsWith("no more pods");
  }
}
