package dev.runnerset.controller.ephemeralrunnerset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.config.EmbeddedStatus;
import dev.runnerset.controller.features.idleage.CollectionState;
import dev.runnerset.controller.features.idleage.Sweeps;
import dev.runnerset.controller.hooks.RunnersReports;
import dev.runnerset.controller.timing.Unwritten;
import dev.runnerset.crds.ChildReference;
import dev.runnerset.crds.Crds;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetStatus;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import dev.runnerset.simulator.cluster.SimulatedCluster;
import dev.runnerset.simulator.kube.KubeApiServer;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the ers reconciler writes at each look, and when (docs/adr/0011), on an API server. */
class StatusStepIT {
  private static final Instant T0 = Instant.parse("2026-11-21T12:00:00Z");

  /** When the runners of the worlds, which tell nothing of their start, are late. */
  private static final Instant LATE = T0.plus(EphemeralRunnerSetTimes.SLOW_AFTER);

  private static final Resource SET = Resource.of(EphemeralRunnerSet.class, "default", "linux");
  private static final String OLD = "0000000000";
  private static final String NEW = "709f33bb0a";

  private final SimulatedCluster cluster = SimulatedCluster.start(Crds.yaml());
  private final KubeApiServer server = cluster.api();
  private final KubernetesClient client = cluster.client();
  private Duration patchTakes = Duration.ZERO;
  private final AtomicLong nanos = new AtomicLong();
  private final KubeApi kube =
      new KubeApi(client, () -> nanos.getAndAdd(patchTakes.toNanos())); // read before and after it
  private final SetMemory memory = Gathering.memory();
  private final RunnerGathering gathering = Gathering.withoutExits();
  private EmbeddedStatus embedded = EmbeddedStatus.MINIMAL;
  private EphemeralRunnerSet cached = new EphemeralRunnerSet();

  @BeforeEach
  void start() {
    server.apply(
        """
        apiVersion: runnerset.dev/v1alpha1
        kind: EphemeralRunnerSet
        metadata: {name: linux, namespace: default}
        spec:
          {replicas: 1, revision: %s, githubConfigUrl: "https://github.com/my-org",
           githubConfigSecret: {name: github}, runnerScaleSetId: 1,
           template: {spec: {containers: [{name: runner, image: "runner:1"}]}}}
        """
            .formatted(NEW));
    cached = stored();
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private EphemeralRunnerSet stored() {
    return Objects.requireNonNull(kube.get(EphemeralRunnerSet.class, SET));
  }

  private EphemeralRunnerSetStatus status() {
    return stored().getStatus();
  }

  private Stream<String> named() {
    return status().childReferences().stream().map(ChildReference::name);
  }

  private @Nullable String truncated() {
    return StatusConditions.find(status().conditions(), ConditionType.CHILD_REFERENCES_TRUNCATED)
        .map(Condition::getStatus)
        .orElse(null);
  }

  private long patches() {
    return server.counters().snapshot().entrySet().stream()
        .filter(e -> e.getKey().isWrite() && e.getKey().subresource().equals("status"))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Runners of a revision; the number is their age, too: a lower one is older. */
  private static Set<EphemeralRunner> runners(@Nullable String revision, int from, int to) {
    var runners =
        IntStream.range(from, to).mapToObj(i -> runner(revision, i)).collect(Collectors.toSet());
    assertThat(runners).hasSize(to - from);
    return runners;
  }

  private static EphemeralRunner runner(@Nullable String revision, int number) {
    return Serialization.unmarshal(
        """
        {"metadata": {"name": "linux-%d", "namespace": "default", "uid": "uid-%d",
           "creationTimestamp": "%s", "annotations": {"runnerset.dev/set-uid": "s"},
           "ownerReferences": [{"apiVersion": "runnerset.dev/v1alpha1", "controller": true,
             "kind": "EphemeralRunnerSet", "name": "linux", "uid": "UID"}]},
         "spec": {"runnerScaleSetId": 1, "revision": %s}}
        """
            .formatted(
                number,
                number,
                T0.plusSeconds(number),
                revision == null ? null : '"' + revision + '"'),
        EphemeralRunner.class);
  }

  /** One look at the cached set; the answer to a patch goes into the cache. */
  private RequeueTime look(Instant now, Set<EphemeralRunner> runners) {
    for (var runner : runners) {
      runner.getMetadata().getOwnerReferences().getFirst().setUid(cached.getMetadata().getUid());
    }
    var moment = Gathering.observe(gathering, cached, runners, memory, now);
    new StatusStep(
            kube,
            PlannerRows.features(embedded, kube::patchesTake),
            new RunnersReports(),
            key -> {})
        .write(
            PlannerRows.decided(moment),
            memory,
            new WriteCache() {
              @Override
              public void created(HasMetadata made) {}

              @Override
              public void changed(HasMetadata before, HasMetadata after) {
                cached = (EphemeralRunnerSet) after;
              }
            });
    return moment.now().next();
  }

  /** The same a second later, when what was seen stands still; returns what the second look did. */
  private RequeueTime settled(Instant now, Set<EphemeralRunner> runners) {
    look(now, runners);
    return look(now.plusSeconds(1), runners);
  }

  @Test
  void whatIsOverIsTakenOffByName() {
    memory.creation().revision(NEW);
    memory.creation().failed(T0, "why", false);
    Sweeps.restore(memory.slots(), new CollectionState(1, 2, T0, 0));
    look(T0, Set.of());
    assertThat(Objects.requireNonNull(status().failures()).runners()).isOne();
    assertThat(status().releasedIdle()).isOne();
    assertThat(Objects.requireNonNull(status().idleCollections()).count()).isEqualTo(2);
    memory.creation().revision("another");
    Sweeps.jobStarted(memory.slots(), T0);
    look(T0.plusSeconds(1), Set.of());
    assertThat(status().failures()).isNull();
    assertThat(status().releasedIdle()).isNull();
    assertThat(status().idleCollections()).isNull();
  }

  @Test
  void countsAreWrittenWhenTheyHaveStoodStill() {
    assertThat(look(T0, runners(NEW, 0, 1)).at()).isEqualTo(LATE);
    assertThat(patches()).as("the first one has all").isOne();
    assertThat(look(T0.plusMillis(999), runners(NEW, 0, 2)).at()).isEqualTo(T0.plusSeconds(1));
    assertThat(look(T0.plusSeconds(1), runners(NEW, 0, 2)).at()).isEqualTo(T0.plusSeconds(2));
    assertThat(patches()).isOne();
    assertThat(look(T0.plusSeconds(2), runners(NEW, 0, 2)).at()).isEqualTo(LATE);
    assertThat(status().runners()).extracting(r -> r.pending()).isEqualTo(2);
    assertThat(look(T0.plusSeconds(9), runners(NEW, 0, 2)).at()).isEqualTo(LATE);
    assertThat(patches()).isEqualTo(2);
  }

  @Test
  void countsThatDoNotStandStillAreWrittenAfterFiveSeconds() {
    settled(T0, runners(NEW, 0, 1));
    long before = patches();
    for (int second = 2; second < 7; second++) {
      look(T0.plusSeconds(second), runners(NEW, 0, second));
    }
    assertThat(look(T0.plusMillis(6500), runners(NEW, 0, 7)).at()).isEqualTo(T0.plusSeconds(7));
    assertThat(patches()).isEqualTo(before);
    look(T0.plusSeconds(7), runners(NEW, 0, 7));
    assertThat(patches()).isEqualTo(before + 1);
    assertThat(status().runners()).extracting(r -> r.pending()).isEqualTo(7);
  }

  /** WR7: ten times what a patch takes, 4 s at most; the list of runners waits with them. */
  @Test
  void countsStandStillForLongerWhileTheApiServerIsSlow() {
    settled(T0, runners(NEW, 0, 1));
    patchTakes = Duration.ofMillis(200);
    for (int i = 0; i < 80; i++) {
      cached =
          kube.mergeStatus(EphemeralRunnerSet.class, SET, JsonNodeFactory.instance.objectNode());
    }
    long before = patches();
    assertThat(kube.patchesTake()).isBetween(Duration.ofMillis(190), Duration.ofMillis(200));
    var still = kube.patchesTake().multipliedBy(10);
    var now = T0.plusSeconds(10);
    assertThat(look(now, runners(NEW, 0, 2)).at()).isEqualTo(now.plus(still));
    assertThat(look(now.plus(still).minusMillis(1), runners(NEW, 0, 2)).at())
        .isEqualTo(now.plus(still));
    assertThat(patches()).isEqualTo(before);
    look(now.plus(still), runners(NEW, 0, 2));
    assertThat(patches()).isEqualTo(before + 1);
    assertThat(named()).hasSize(2);
    assertThat(Unwritten.still(Duration.ofSeconds(30))).isEqualTo(Unwritten.STILL_AT_MOST);
  }

  @Test
  void countsThatHaveComeBackAreNotWritten() {
    settled(T0, runners(NEW, 0, 1));
    long before = patches();
    look(T0.plusSeconds(2), runners(NEW, 0, 2));
    settled(T0.plusSeconds(3), runners(NEW, 0, 1));
    assertThat(patches()).isEqualTo(before);
  }

  /** The deletion of the runner set waits for it. */
  @Test
  void thatNothingIsLeftIsWrittenAtOnce() {
    settled(T0, runners(NEW, 0, 1));
    long before = patches();
    var none = JsonNodeFactory.instance.objectNode();
    none.putObject("spec").put("replicas", 0);
    cached = kube.merge(EphemeralRunnerSet.class, SET, none);
    var now = T0.plusMillis(1010);
    assertThat(look(now, runners(NEW, 0, 1)).at()).isEqualTo(now.plusSeconds(1));
    assertThat(patches()).as("a runner is left").isEqualTo(before);
    look(now.plusMillis(10), Set.of());
    assertThat(patches()).isEqualTo(before + 1);
    assertThat(status().runners()).extracting(r -> r.live()).isEqualTo(0);
    assertThat(status().observedGeneration()).isEqualTo(stored().getMetadata().getGeneration());
    look(now.plusMillis(20), Set.of());
    assertThat(patches()).as("it is reported").isEqualTo(before + 1);
  }

  @Test
  void theAnswerIsInTheCacheSoThatTheNextLookSendsNothingTwice() {
    settled(T0, runners(NEW, 0, 2));
    assertThat(cached.getStatus()).isEqualTo(status());
    long before = patches();
    look(T0.plusSeconds(2), runners(NEW, 0, 2)); // the informer was silent in between
    assertThat(patches()).isEqualTo(before);
  }

  /** Also a short one: each patch of the object sends, checks and stores it. */
  @Test
  void aListIsWrittenWhenItStandsStillOrAfterThirtySeconds() {
    settled(T0, runners(NEW, 0, 3));
    assertThat(named()).hasSize(3);
    for (int second = 2; second < 32; second++) {
      look(T0.plusSeconds(second), runners(NEW, 0, second + 2));
      assertThat(named()).as("at %d s", second).hasSize(3);
    }
    assertThat(status().replicas()).as("counts do not wait for it").isGreaterThan(25);
    look(T0.plusSeconds(32), runners(NEW, 0, 40));
    assertThat(named()).hasSize(40);
    look(T0.plusSeconds(33), runners(NEW, 0, 41));
    assertThat(named()).hasSize(40);
    settled(T0.plusSeconds(34), runners(NEW, 0, 41));
    assertThat(named()).hasSize(41);
  }

  /** RF11: where older is 0, no runner of an older revision is named. */
  @Test
  void theEndOfARolloutIsReportedWithTheListThatShowsIt() {
    settled(T0, runners(OLD, 0, 250));
    assertThat(status().rollout()).extracting(r -> r.older()).isEqualTo(250);
    look(T0.plusSeconds(2), runners(NEW, 250, 251));
    assertThat(status().rollout()).extracting(r -> r.older()).isEqualTo(0);
    assertThat(named()).containsExactly("linux-250");
    look(T0.plusSeconds(3), runners(NEW, 250, 600));
    look(T0.plusSeconds(4), runners(NEW, 250, 601));
    assertThat(named()).as("what follows is paced as ever").hasSize(1);
    look(T0.plusSeconds(5), runners(NEW, 250, 601));
    assertThat(named()).hasSize(351);
  }

  @Test
  void theTruncationIsReportedOfTheListThatIsThere() {
    settled(T0, runners(NEW, 0, 1000));
    assertThat(truncated()).isNull();
    look(T0.plusSeconds(2), runners(NEW, 1, 1002));
    assertThat(truncated()).as("the list names all of a moment ago").isNull();
    settled(T0.plusSeconds(3), runners(NEW, 1, 1002));
    assertThat(named()).hasSize(1000);
    settled(T0.plusSeconds(5), runners(NEW, 1, 1002));
    assertThat(truncated()).isEqualTo("True");
    settled(T0.plusSeconds(7), runners(NEW, 1, 1001));
    assertThat(truncated()).as("the list is right as it is").isNull();
  }

  @Test
  void aClockThatStepsBackHoldsNothingUp() {
    look(T0, runners(NEW, 0, 250));
    var back = T0.minus(Duration.ofHours(1));
    assertThat(settled(back, runners(NEW, 0, 251)).at()).isEqualTo(LATE);
    assertThat(named()).hasSize(251);
  }

  @Test
  void aRunnerWithoutARevisionMakesNoPatchThatChangesNothing() {
    embedded = EmbeddedStatus.FULL;
    settled(T0, runners(null, 0, 1));
    assertThat(status().runnerStatuses()).containsOnlyKeys("linux-0");
    long before = patches();
    settled(T0.plusSeconds(2), runners(null, 0, 1));
    assertThat(patches()).isEqualTo(before);
  }

  @Test
  void countsThatSomebodyLeftWithoutARevisionAreMended() {
    look(T0, runners(NEW, 0, 1));
    var torn = Serialization.unmarshal("{\"rollout\": {\"revision\": null}}", JsonNode.class);
    cached = kube.mergeStatus(EphemeralRunnerSet.class, SET, torn);
    look(T0.plusSeconds(1), runners(NEW, 0, 1));
    assertThat(status().rollout()).extracting(r -> r.revision()).isEqualTo(NEW);
  }

  /** WR1: the listener's field is where it was, and nobody else's is written. */
  @Test
  void onlyTheFieldsOfTheErsReconcilerAreWritten() {
    var demand = "{\"demand\": {\"epoch\": 1, \"messageId\": 7, \"assigned\": 1}}";
    var heard =
        kube.mergeStatus(
            EphemeralRunnerSet.class, SET, Serialization.unmarshal(demand, JsonNode.class));
    settled(T0, runners(NEW, 0, 1)); // the cache knows nothing of the demand yet
    assertThat(status().demand()).isNotNull().isEqualTo(heard.getStatus().demand());
    assertThat(
            Serialization.unmarshal(raw(), GenericKubernetesResource.class)
                .getAdditionalProperties()
                .get("status"))
        .asInstanceOf(MAP)
        .containsOnlyKeys(
            "demand", "observedGeneration", "replicas", "runners", "rollout", "childReferences");
  }

  /** Reported a minute after the completion was seen, and gone with the runner. */
  @Test
  void aRunnerThatDoesNotEndAfterItsJobIsReportedOfWhileItIsThere() {
    var over = runner(NEW, 0);
    over.setStatus(
        Serialization.unmarshal(
            "{\"phase\": \"Running\", \"requestId\": 7, \"job\": {\"completedIn\": 3}}",
            EphemeralRunnerStatus.class));
    look(T0, Set.of(over));
    look(T0.plusSeconds(59), Set.of(over));
    assertThat(notEnding()).isEmpty();
    look(T0.plusSeconds(60), Set.of(over));
    assertThat(notEnding()).hasSize(1).first().asString().contains("linux-0", "ExitOverdue");
    look(T0.plusSeconds(62), Set.of());
    assertThat(notEnding()).isEmpty();
  }

  private Stream<Condition> notEnding() {
    return status().conditions().stream().filter(c -> "RunnersNotEnding".equals(c.getType()));
  }

  private String raw() {
    return client.raw("/apis/runnerset.dev/v1alpha1/namespaces/default/ephemeralrunnersets/linux");
  }
}
