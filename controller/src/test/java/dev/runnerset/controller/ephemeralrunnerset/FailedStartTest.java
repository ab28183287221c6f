package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.removal.Runners.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.scaling.CreationBackoff;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.RunnerFailure;
import dev.runnerset.crds.RunnerPhase;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which failures make a set wait before it makes runners (RN10). */
class FailedStartTest {
  private final EphemeralRunnerSet set = RunnerCreatorTest.set("ci");
  private final SetMemory memory = Gathering.memory();
  private final RunnerGathering gathering = Gathering.withoutExits();

  @ParameterizedTest(name = "6 {0} {1} s after the start counts as a failed start: {2}")
  @CsvSource({
    "PodLost,59,true",
    "PodLost,60,false",
    "PodDeleted,59,true",
    "PodDeleted,60,false",
    "Evicted,60,false",
    "NodeShutdown,60,false",
    "Terminated,60,false",
    "ContainerExited,60,true",
    "ExitedWithoutJob,60,true",
    "OOMKilled,299,true",
    "ExitedWithoutJob,299,true",
    "RegistrationOverdue,900,true",
    "ExitedWithoutJob,300,false",
    "ContainerExited,300,false",
    "'',299,true",
    "'',300,false"
  })
  void aRunnerThatHadStoodStartedWell(String reason, int seconds, boolean counts) {
    var failed =
        Runners.idle("r").phase(RunnerPhase.FAILED).endedAt(T0.plusSeconds(seconds)).view();
    var failure = reason.isEmpty() ? null : new RunnerFailure(reason, "", null, Map.of(), null);
    assertThat(FailedStart.is(failed, failure)).isEqualTo(counts);
  }

  @ParameterizedTest
  @CsvSource({"PodLost", "PodDeleted", "PodRefused", "ImagePullBackOff", "Evicted"})
  void aRunnerThatNeverStartedIsAFailedStart(String reason) {
    var failed = Runners.pending("r").phase(RunnerPhase.FAILED).endedAt(T0.plusSeconds(900)).view();
    assertThat(FailedStart.is(failed, new RunnerFailure(reason, "", null, Map.of(), null)))
        .isTrue();
  }

  /** One that is ready from {@code idleSince} on, and failed at {@code end}. */
  private static EphemeralRunner failed(
      String name, Instant idleSince, Instant end, String reason) {
    return Serialization.unmarshal(
        """
        metadata:
          {name: %s, namespace: ns, uid: uid-%s, creationTimestamp: "%s",
           ownerReferences: [{apiVersion: runnerset.dev/v1alpha1,
             kind: EphemeralRunnerSet, name: ci, uid: uid-of-set, controller: true}]}
        spec: {runnerScaleSetId: 9, revision: rev}
        status: {phase: Failed, runnerId: 1, idleSince: "%s", completionTime: "%s",
          failure: {reason: %s, message: m}}
        """
            .formatted(name, name, idleSince, idleSince, end, reason),
        EphemeralRunner.class);
  }

  FailedStartTest() {
    var _ =
        Gathering.observe(
            gathering, set, Set.of(), memory, T0); // the first look counts no kept failures
  }

  private void look(EphemeralRunner runner) {
    var _ = Gathering.observe(gathering, set, Set.of(runner), memory, T0);
  }

  @Test
  void nineSpotLossesOfANightDoNotKeepTheMorningBurstWaiting() {
    var night = T0.plus(Duration.ofHours(1));
    for (int i = 0; i < 9; i++) {
      var lost = night.plus(Duration.ofMinutes(10L * i));
      look(failed("r" + i, lost.minusSeconds(590), lost, "PodLost"));
      assertThat(SetStateTest.isOpen(memory.creation().backoff(), lost)).as("loss %d", i).isTrue();
      assertThat(memory.creation().backoff().failures()).isZero();
    }
  }

  @Test
  void anIdlePodDeletedByHandIsNoProblemOfTheSet() {
    look(failed("r", T0, T0.plusSeconds(3600), "PodDeleted"));
    assertThat(memory.creation().backoff()).isEqualTo(CreationBackoff.NONE);
  }

  @Test
  void runnersThatCrashRightAfterTheirStartStillMakeTheSetWait() {
    var at = T0;
    for (int i = 1; i <= 9; i++) {
      look(failed("r" + i, at, at.plusSeconds(2), "ContainerExited"));
      assertThat(memory.creation().backoff().failures()).isEqualTo(i);
      at = memory.creation().backoff().notBefore();
    }
    assertThat(Duration.between(T0, at)).isGreaterThan(Duration.ofMinutes(9));
  }
}
