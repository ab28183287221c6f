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

  /** When the runners of the scenes, which tell nothing of their start, are late. */
  private static final Instant LATE = T0.plus(PendingCondition.SLOW_AFTER);

  private static final Resource SET = Resource.of(EphemeralRunnerSet.class, "default", "linux");
  private static final String OLD = "0000000000";
  private static final String NEW = "709f33bb0a";

  private final SimulatedCluster cluster = SimulatedCluster.start(Crds.yaml());
  private final KubeApiServer server = cluster.api();
  private final KubernetesClient client = cluster.client();
  private final KubeApi kube = new KubeApi(client);
  private final SetMemory memory = new SetMemory();
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
    new StatusStep(kube, PlannerRows.features(embedded))
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
  void countsAreWrittenOnceASecondAndOnlyIfTheyDiffer() {
    assertThat(look(T0, runners(NEW, 0, 1)).at()).isEqualTo(LATE);
    assertThat(patches()).isOne();
    assertThat(look(T0.plusMillis(999), runners(NEW, 0, 2)).at()).isEqualTo(T0.plusSeconds(1));
    assertThat(patches()).isOne();
    assertThat(look(T0.plusSeconds(1), runners(NEW, 0, 2)).at()).isEqualTo(LATE);
    assertThat(status().runners()).extracting(r -> r.pending()).isEqualTo(2);
    assertThat(look(T0.plusSeconds(9), runners(NEW, 0, 2)).at()).isEqualTo(LATE);
    assertThat(patches()).isEqualTo(2);
  }

  /** The deletion of the runner set waits for it. */
  @Test
  void thatNothingIsLeftIsWrittenAtOnce() {
    look(T0, runners(NEW, 0, 1));
    var none = JsonNodeFactory.instance.objectNode();
    none.putObject("spec").put("replicas", 0);
    cached = kube.merge(EphemeralRunnerSet.class, SET, none);
    assertThat(look(T0.plusMillis(10), runners(NEW, 0, 1)).at()).isEqualTo(T0.plusSeconds(1));
    assertThat(patches()).as("a runner is left").isOne();
    look(T0.plusMillis(20), Set.of());
    assertThat(patches()).isEqualTo(2);
    assertThat(status().runners()).extracting(r -> r.live()).isEqualTo(0);
    assertThat(status().observedGeneration()).isEqualTo(stored().getMetadata().getGeneration());
    look(T0.plusMillis(30), Set.of());
    assertThat(patches()).as("it is reported").isEqualTo(2);
  }

  @Test
  void theAnswerIsInTheCacheSoThatTheNextLookSendsNothingTwice() {
    look(T0, runners(NEW, 0, 2));
    assertThat(cached.getStatus()).isEqualTo(status());
    look(T0.plusSeconds(1), runners(NEW, 0, 2)); // the informer was silent in between
    assertThat(patches()).isOne();
  }

  @Test
  void aLongListIsSentLessOftenThanTheCountsAndItsRestIsNotForgotten() {
    look(T0, runners(NEW, 0, 250));
    assertThat(look(T0.plusSeconds(1), runners(NEW, 0, 251)).at()).isEqualTo(T0.plusSeconds(2));
    assertThat(status().replicas()).isEqualTo(251);
    assertThat(named()).hasSize(250);
    assertThat(look(T0.plusSeconds(2), runners(NEW, 0, 251)).at()).isEqualTo(LATE);
    assertThat(named()).hasSize(251);
  }

  /** RF11: where older is 0, no runner of an older revision is named. */
  @Test
  void theEndOfARolloutIsReportedWithTheListThatShowsIt() {
    look(T0, runners(OLD, 0, 250));
    assertThat(status().rollout()).extracting(r -> r.older()).isEqualTo(250);
    look(T0.plusSeconds(1), runners(NEW, 250, 251));
    assertThat(status().rollout()).extracting(r -> r.older()).isEqualTo(0);
    assertThat(named()).containsExactly("linux-250");
    look(T0.plusSeconds(2), runners(NEW, 250, 600));
    look(T0.plusSeconds(3), runners(NEW, 250, 601));
    assertThat(named()).as("what follows is paced as ever").hasSize(350);
  }

  @Test
  void theTruncationIsReportedOfTheListThatIsThere() {
    look(T0, runners(NEW, 0, 1000));
    assertThat(truncated()).isNull();
    look(T0.plusSeconds(1), runners(NEW, 1, 1002));
    assertThat(status().replicas()).isEqualTo(1001);
    assertThat(truncated()).as("the list names all of a moment ago").isNull();
    look(T0.plusSeconds(5), runners(NEW, 1, 1002));
    assertThat(truncated()).isEqualTo("True");
    look(T0.plusSeconds(6), runners(NEW, 1, 1001));
    assertThat(truncated()).as("the list is right as it is").isNull();
  }

  @Test
  void aClockThatStepsBackHoldsNothingUp() {
    look(T0, runners(NEW, 0, 250));
    assertThat(look(T0.minus(Duration.ofHours(1)), runners(NEW, 0, 251)).at()).isEqualTo(LATE);
    assertThat(named()).hasSize(251);
  }

  @Test
  void aRunnerWithoutARevisionMakesNoPatchThatChangesNothing() {
    embedded = EmbeddedStatus.FULL;
    look(T0, runners(null, 0, 1));
    assertThat(status().runnerStatuses()).containsOnlyKeys("linux-0");
    look(T0.plusSeconds(1), runners(null, 0, 1));
    assertThat(patches()).isOne();
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
    look(T0, runners(NEW, 0, 1)); // the cache knows nothing of the demand yet
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
