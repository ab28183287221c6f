package dev.runnerset.controller.ephemeralrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.features.idleage.CollectionState;
import dev.runnerset.controller.features.idleage.IdleAge;
import dev.runnerset.controller.features.idleage.Sweeps;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What age collection learns of runners and their jobs. */
class RunnerGatheringTest {
  private static final Instant IDLE = Instant.parse("2026-11-21T12:00:00Z");

  private final EphemeralRunnerSet set = RunnerCreatorTest.set("ci");
  private final RunnerGathering gathering = Gathering.withoutExits();

  /** Made a minute before it was ready, and ready since {@link #IDLE}. */
  private static EphemeralRunner runner(
      String name, String ownerUid, String annotations, String more) {
    return Serialization.unmarshal(
        """
        metadata:
          {name: %s, namespace: ns, uid: uid-%s, creationTimestamp: "2026-11-21T11:59:00Z",
           annotations: {%s}, ownerReferences: [{apiVersion: runnerset.dev/v1alpha1,
             kind: EphemeralRunnerSet, name: ci, uid: %s, controller: true}]}
        spec: {runnerScaleSetId: 9, revision: rev}
        status: {phase: Running, runnerId: 1, idleSince: "2026-11-21T12:00:00Z"%s}
        """
            .formatted(name, name, annotations, ownerUid, more),
        EphemeralRunner.class);
  }

  private List<RunnerView> views(EphemeralRunner runner) {
    return Gathering.observe(gathering, set, Set.of(runner), Gathering.memory(), IDLE)
        .runners()
        .all()
        .toList();
  }

  private RunnerView view(EphemeralRunner runner) {
    return views(runner).getFirst();
  }

  @Test
  void aRunnerThatOnlyBearsTheLabelIsNoneOfTheSets() {
    assertThat(views(runner("a", "uid-of-another", "", ""))).isEmpty();
  }

  @Test
  void bothAgesAreKept() {
    var runner = view(runner("a", "uid-of-set", "", ""));
    assertThat(runner.created()).isEqualTo(IDLE.minusSeconds(60));
    assertThat(runner.idleSince()).isEqualTo(IDLE);
    assertThat(runner.pinned()).isFalse();
  }

  @Test
  void anAnnotationPinsIt() {
    assertThat(view(runner("a", "uid-of-set", "runnerset.dev/retain: \"true\"", "")).pinned())
        .isTrue();
    assertThat(view(runner("a", "uid-of-set", "runnerset.dev/retain: \"no\"", "")).pinned())
        .isFalse();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "ready alone is no job               |                                             | 1",
        "a mark without its time: since ready|, jobId: j                                   | 0",
        "a job that started later            |, jobId: j, job: {startedAt: '2026-11-21T12:30:00Z'} | 0",
        "a job of before the collection      |, jobId: j, job: {startedAt: '2026-11-21T11:30:00Z'} | 1",
      })
  void aJobEndsWhatAgeCollectionCounts(String row, @Nullable String job, int left) {
    var memory = Gathering.memory();
    Sweeps.restore(memory.slots(), new CollectionState(1, 1, IDLE, 0));
    var runner = runner("a", "uid-of-set", "", job == null ? "" : job);
    new IdleAge(Meter.series(), (about, reason, message) -> {})
        .follow(Gathering.observe(gathering, set, Set.of(runner), memory, IDLE));
    assertThat(Sweeps.done(memory.slots()).collected()).isEqualTo(left);
  }

  @ParameterizedTest(name = "revision {0}, scale set {1}: older {2}")
  @CsvSource({"rev,9,false", "other,9,true", "rev,8,true", "other,8,true"})
  void aRunnerOfAnotherRevisionOrScaleSetIsOlder(String revision, int scaleSet, boolean older) {
    var runner = runner("a", "uid-of-set", "", "");
    var spec = runner.getSpec();
    runner.setSpec(
        EphemeralRunnerSpec.builder(spec.githubConfigUrl(), spec.githubConfigSecret(), scaleSet)
            .revision(revision)
            .setGeneration(1L)
            .build());
    assertThat(view(runner).older()).isEqualTo(older);
    assertThat(view(runner).ofAnotherScaleSet()).isEqualTo(scaleSet != 9);
  }
}
