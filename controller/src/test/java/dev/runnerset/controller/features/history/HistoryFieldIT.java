package dev.runnerset.controller.features.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.base.metrics.Meters;
import dev.runnerset.controller.autoscalingrunnerset.Sets;
import dev.runnerset.controller.autoscalingrunnerset.StatusWriter;
import dev.runnerset.controller.autoscalingrunnerset.planning.Revision;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.hooks.RunnerSetFacts;
import dev.runnerset.controller.hooks.RunnersReport;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.removal.Now;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingListenerSpecBuilder;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.AutoScalingRunnerSetStatusBuilder;
import dev.runnerset.crds.Crds;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetStatusBuilder;
import dev.runnerset.crds.HistoryEntry;
import dev.runnerset.crds.ProxySettings;
import dev.runnerset.crds.RolloutCounts;
import dev.runnerset.crds.StoredTemplate;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import dev.runnerset.simulator.cluster.SimulatedCluster;
import dev.runnerset.simulator.kube.KubeApiServer;
import dev.runnerset.testsupport.Exposition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** The history in the status, written by more than one (HS8). */
class HistoryFieldIT {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-11-21T12:00:00Z"), ZoneOffset.UTC);

  private final SimulatedCluster cluster = SimulatedCluster.start(Crds.yaml());
  private final KubeApiServer api = cluster.api();
  private final KubernetesClient client = cluster.client();
  private final KubeApi kube = new KubeApi(client);
  private final Meters meters = Meter.series();
  private final List<HasMetadata> cached = new ArrayList<>();
  private final WriteCache cache =
      new WriteCache() {
        @Override
        public void created(HasMetadata made) {
          throw new AssertionError("nothing is made");
        }

        @Override
        public void changed(HasMetadata before, HasMetadata after) {
          cached.add(after);
        }
      };
  private static final WriteCache NO_CACHE =
      new WriteCache() {
        @Override
        public void created(HasMetadata made) {}

        @Override
        public void changed(HasMetadata before, HasMetadata after) {}
      };
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private AutoScalingRunnerSet set = new AutoScalingRunnerSet();

  @BeforeEach
  void start() {
    var made = Sets.set("linux", "minRunners: 1");
    made.getMetadata().setNamespace("default");
    made.getMetadata().setUid(null);
    set = kube.create(made);
    log.start();
    var logger = (Logger) LoggerFactory.getLogger(HistoryField.class);
    logger.setLevel(Level.INFO);
    logger.addAppender(log);
  }

  @AfterEach
  void stop() {
    ((Logger) LoggerFactory.getLogger(HistoryField.class)).detachAppender(log);
    cluster.close();
  }

  private AutoScalingRunnerSet stored() {
    return Objects.requireNonNull(kube.get(AutoScalingRunnerSet.class, Resource.of(set)));
  }

  private List<HistoryEntry> history() {
    return stored().statusOrNone().history();
  }

  private static EphemeralRunnerSet ers(
      String revision, int replicas, long seen, String counted, int older, int registered) {
    return Serialization.unmarshal(
        """
        apiVersion: runnerset.dev/v1alpha1
        kind: EphemeralRunnerSet
        metadata: {name: linux, namespace: default, generation: 4}
        spec:
          revision: %s
          replicas: %d
          githubConfigUrl: https://github.com/my-org
          githubConfigSecret: {name: github}
          runnerScaleSetId: 1
          template: {spec: {containers: [{name: other, image: x}, {name: runner, image: "r:2.3.4"}]}}
        status:
          observedGeneration: %d
          rollout: {revision: %s, older: %d, registered: %d}
        """
            .formatted(revision, replicas, seen, counted, older, registered),
        EphemeralRunnerSet.class);
  }

  private static EphemeralRunnerSet complete(String revision) {
    return ers(revision, 1, 4, revision, 0, 1);
  }

  private static EphemeralRunnerSet begun(String revision) {
    return ers(revision, 1, 4, revision, 1, 0);
  }

  private static AutoScalingListener listener(String connected) {
    return Serialization.unmarshal(
        """
        apiVersion: runnerset.dev/v1alpha1
        kind: AutoScalingListener
        metadata: {name: l, namespace: default}
        spec:
          ephemeralRunnerSet: {namespace: default, name: linux, uid: u}
          githubConfigUrl: https://github.com/my-org
          githubConfigSecret: {namespace: default, name: github}
          scaleSetId: 1
          capacity: 5
        status: {connection: %s, conditions: [{type: Connected, status: "%s"}]}
        """
            .formatted(CONNECTION, connected),
        AutoScalingListener.class);
  }

  /** Of the spec above; the listener of another version must come to the same. */
  private static final String CONNECTION = "c04d8178e3";

  /** One status patch; with a time if it met a conflict. */
  private RequeueTime attempt(
      HistoryPolicy policy,
      AutoScalingRunnerSet known,
      EphemeralRunnerSet ers,
      WriteCache reported) {
    return attempt(new HistoryField(policy, meters), known, ers, listener("True"), reported);
  }

  private RequeueTime attempt(
      HistoryField field,
      AutoScalingRunnerSet known,
      EphemeralRunnerSet ers,
      AutoScalingListener listener,
      WriteCache reported) {
    var facts =
        new RunnerSetFacts(
            known,
            known.statusOrNone(),
            ers,
            listener,
            null,
            RunnersReport.NONE,
            true,
            null,
            new Now(CLOCK.instant()));
    var status = AutoScalingRunnerSetStatusBuilder.builder(known.statusOrNone());
    field.fill(facts, status);
    return new StatusWriter(kube, reported, new Memories())
        .write(known, status.build(), CLOCK.instant(), () -> field.stored(facts));
  }

  private RequeueTime attempt(AutoScalingRunnerSet known, EphemeralRunnerSet ers) {
    return attempt(HistoryPolicy.DEFAULT, known, ers, cache);
  }

  /** A patch, and after a conflict the next one, which is made from what stands then. */
  private void record(AutoScalingRunnerSet known, EphemeralRunnerSet ers) {
    if (!attempt(known, ers).isNever()) {
      assertThat(attempt(stored(), ers).isNever()).isTrue();
    }
  }

  @Test
  void writesAnEntryAndTellsTheCache() {
    record(set, complete("a"));
    assertThat(history()).hasSize(1);
    assertThat(history().getFirst())
        .isEqualTo(
            new HistoryEntry(
                HistoryEntry.State.COMPLETED,
                "2.3.4",
                "r:2.3.4",
                "a",
                CLOCK.instant(),
                CLOCK.instant(),
                null));
    assertThat(cached).containsExactly(stored());
    record(stored(), complete("a"));
    assertThat(cached).as("no news, no write").hasSize(1);
  }

  /** HS6; zero wanted runners count as satisfied. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "all are registered, 2, 4, a, 0, 2, True, true",
    "one is missing, 2, 4, a, 0, 1, True, false",
    "an old one lives, 2, 4, a, 1, 2, True, false",
    "zero wanted, 0, 4, a, 0, 0, True, true",
    "zero wanted but an old one is busy, 0, 4, a, 1, 0, True, false",
    "counts of an earlier spec, 2, 3, a, 0, 2, True, false",
    "counts of another revision, 2, 4, b, 0, 2, True, false",
    "the listener does not run, 2, 4, a, 0, 2, False, false",
  })
  void isCompletedOnlyWhen(
      String what,
      int replicas,
      long seen,
      String counted,
      int older,
      int registered,
      String connected,
      boolean completed) {
    var ers = ers("a", replicas, seen, counted, older, registered);
    var field = new HistoryField(HistoryPolicy.DEFAULT, meters);
    assertThat(attempt(field, set, ers, listener(connected), cache).isNever()).isTrue();
    assertThat(history().getFirst().state() == HistoryEntry.State.COMPLETED)
        .as(what)
        .isEqualTo(completed);
    assertThat(RolloutFacts.of(set, ers, null).complete()).as("no listener at all").isFalse();
  }

  /** Of a busy set some runners are always new, and its spec changes with each job. */
  @Test
  void aBusySetCompletesOnceItsRevisionIsSettled() {
    var ers = ers("a", 9, 3, "a", 0, 7);
    assertThat(RolloutFacts.of(set, ers, listener("True")).complete()).isFalse();
    ers.setStatus(
        EphemeralRunnerSetStatusBuilder.builder(ers.getStatus())
            .rollout(new RolloutCounts("a", 0, 7, true))
            .build());
    assertThat(RolloutFacts.of(set, ers, listener("True")).complete()).isTrue();
  }

  /** A condition that stands since before the proxy was changed says nothing of the new proxy. */
  @Test
  void isNotCompletedWhileTheListenerIsConnectedByOtherSettings() {
    var listener = listener("True");
    var ers = complete("a");
    assertThat(RolloutFacts.of(set, ers, listener).complete()).isTrue();
    var spec = listener.getSpec();
    listener.setSpec(AutoScalingListenerSpecBuilder.builder(spec).capacity(9).build());
    assertThat(RolloutFacts.of(set, ers, listener).complete()).as("another capacity").isTrue();
    var proxy = new ProxySettings(new ProxySettings.Endpoint("http://dead:1", null), null, null);
    listener.setSpec(AutoScalingListenerSpecBuilder.builder(spec).proxy(proxy).build());
    assertThat(RolloutFacts.of(set, ers, listener).complete()).as("another proxy").isFalse();
  }

  /** The version that the user gives belongs to the template it stands beside, and to no other. */
  @Test
  void theVersionGivenCountsBesideItsOwnTemplateOnly() {
    var versioned = Sets.set("linux", "runnerVersion: 9.9.9");
    var current = complete(Revision.of(versioned.getSpec()));
    assertThat(RolloutFacts.of(versioned, current, null).version()).isEqualTo("9.9.9");
    var kept = complete("the-one-before-a-refused-template");
    assertThat(RolloutFacts.of(versioned, kept, null).version()).isEqualTo("2.3.4");
  }

  /** Entry and new references bear the revision of one object, the EphemeralRunnerSet. */
  @Test
  void theEntryBearsTheRevisionThatRunnersAreMadeWith() {
    var ers = begun("a");
    record(set, ers);
    assertThat(history().getFirst().revision()).isEqualTo(ers.getSpec().revision());
    // Completed implies that no runner of an older revision is there: older counts them all
    record(stored(), ers("a", 1, 4, "a", 1, 1));
    assertThat(history().getFirst().state()).isEqualTo(HistoryEntry.State.PARTIAL);
    record(stored(), complete("a"));
    assertThat(history().getFirst().state()).isEqualTo(HistoryEntry.State.COMPLETED);
  }

  /** RV1: what is outside the revision starts no rollout and adds no entry. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "minRunners: 3",
        "maxRunners: 7",
        "mode: Drained",
        "retention: {ttlAfterFailed: 1h}",
        "garbageCollection: {maximumIdleAge: 24h}",
        "runnerVersion: 9.9.9"
      })
  void whatIsOutsideTheRevisionAddsNoEntry(String line) {
    var before = Revision.of(set.getSpec());
    record(set, complete(before));
    var changed = Sets.set("linux", line);
    changed.setMetadata(stored().getMetadata());
    changed.setStatus(stored().getStatus());
    assertThat(Revision.of(changed.getSpec())).isEqualTo(before);
    record(changed, complete(Revision.of(changed.getSpec())));
    assertThat(cached).hasSize(1);
    assertThat(history()).hasSize(1);
  }

  /** HS8: a lock for the history, and nobody else's field is touched. */
  @Test
  void aLateWriterReadsAgainAndTouchesNothingElse() {
    kube.mergeStatus(AutoScalingRunnerSet.class, Resource.of(set), Sets.json("{'scaleSetId': 7}"));
    record(set, begun("a")); // computed from what was read before that
    assertThat(stored().statusOrNone().scaleSetId()).isEqualTo(7);
    assertThat(history()).hasSize(1);
    assertThat(cached).hasSize(1);
  }

  @Test
  void twoWritersWithTheSamePictureMakeOneEntry() {
    record(set, complete("a"));
    var picture = stored();
    record(picture, begun("b"));
    record(picture, begun("b"));
    assertThat(history()).extracting(HistoryEntry::revision).containsExactly("b", "a");
  }

  /** As while the API server refuses the role of its listener: no job comes to such runners. */
  @Test
  void aSetThatOffersNoRunnersBeginsNoRollout() {
    var status = AutoScalingRunnerSetStatusBuilder.builder();
    var facts =
        new RunnerSetFacts(
            set,
            set.statusOrNone(),
            complete("a"),
            listener("True"),
            null,
            RunnersReport.NONE,
            false,
            null,
            new Now(CLOCK.instant()));
    new HistoryField(HistoryPolicy.DEFAULT, meters).fill(facts, status);
    assertThat(facts.now().next().isNever()).isTrue();
    assertThat(status.build().history()).isEmpty();
  }

  @Test
  void noEntryOfTheOtherWriterIsLost() {
    var picture = set;
    record(picture, complete("a"));
    record(picture, begun("b"));
    assertThat(history()).extracting(HistoryEntry::revision).containsExactly("b", "a");
  }

  @Test
  void ofManyWritersAtOnceOneMakesTheEntry() throws Exception {
    record(set, complete("a"));
    var picture = stored();
    int writers = 4;
    var together = new CyclicBarrier(writers);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all =
          threads.invokeAll(
              Collections.<Callable<RequeueTime>>nCopies(
                  writers,
                  () -> {
                    together.await();
                    return attempt(HistoryPolicy.DEFAULT, picture, begun("b"), NO_CACHE);
                  }));
      assertThat(all).filteredOn(one -> one.resultNow().isNever()).hasSize(1);
    }
    assertThat(history()).extracting(HistoryEntry::revision).containsExactly("b", "a");
  }

  /** Others write all the time: the next pass computes it again from what stands then. */
  @Test
  void aConflictLeavesItToTheNextPass() {
    api.faults().failNextWrites("autoscalingrunnersets.runnerset.dev", 409, 1);
    assertThat(attempt(set, begun("a")).at()).isEqualTo(CLOCK.instant().plusSeconds(1));
    assertThat(history()).isEmpty();
    assertThat(attempt(set, begun("a")).isNever()).isTrue();
    assertThat(history()).hasSize(1);
  }

  @Test
  void aSetMadeAgainBeginsItsOwnHistory() {
    var former = set;
    client.resource(former).delete();
    var again = Sets.set("linux", "minRunners: 1");
    again.getMetadata().setNamespace("default");
    again.getMetadata().setUid(null);
    set = kube.create(again);
    assertThat(attempt(former, complete("of-the-former")).isNever()).isFalse();
    assertThat(history()).isEmpty();
  }

  @Test
  void aWriterWhoseSpecIsOutdatedWritesNothing() {
    kube.merge(
        AutoScalingRunnerSet.class, Resource.of(set), Sets.json("{'spec': {'minRunners': 5}}"));
    assertThat(attempt(set, begun("old")).isNever()).isFalse();
    assertThat(history()).isEmpty();
  }

  /** What the informer handed out is not changed. */
  @Test
  void theObjectOfTheCacheIsNotChanged() {
    record(set, complete("a"));
    var picture = stored();
    var before = Serialization.asYaml(picture);
    record(picture, begun("b"));
    assertThat(Serialization.asYaml(picture)).isEqualTo(before);
  }

  @Test
  void aWipedStatusGetsOneEntryAgain() {
    record(set, complete("a"));
    record(stored(), complete("b"));
    var wiped = JsonNodeFactory.instance.objectNode().putNull("history");
    var now = kube.mergeStatus(AutoScalingRunnerSet.class, Resource.of(set), wiped);
    record(now, complete("b"));
    assertThat(history()).extracting(HistoryEntry::revision).containsExactly("b");
  }

  /** HS9: reported in the log and the metric, not in the status. */
  @Test
  void pruningIsReportedWithItsReason() {
    for (int i = 0; i < 8; i++) {
      var _ = attempt(HistoryPolicy.DEFAULT.withMaxEntries(7), stored(), begun("r" + i), cache);
    }
    assertThat(history())
        .extracting(HistoryEntry::revision)
        .containsExactly("r7", "r6", "r5", "r4", "r3", "r2", "r0");
    var line = log.list.stream().filter(e -> e.getMessage().startsWith("dropped")).findFirst();
    assertThat(line.orElseThrow().getLevel().toString()).isEqualTo("INFO");
    assertThat(line.orElseThrow().getKeyValuePairs())
        .extracting(pair -> pair.key + "=" + pair.value)
        .containsExactly(
            "namespace=default",
            "set=linux",
            "why=older and of less weight",
            "version=2.3.4",
            "revision=r1",
            "index=6",
            "rank=-6.06");
    assertThat(
            Exposition.of(meters::snapshots)
                .value("runnerset_rollout_history_pruned_total", "default", "linux", "older"))
        .isOne();
    assertThat(Serialization.asYaml(stored())).doesNotContainIgnoringCase("prun");
  }

  /** A full history of long images is about 30 KB. */
  @Test
  void aFullHistoryFitsItsBudget() {
    var image = "registry.of-a-company.example:5000/platform/teams/ci/actions-runner:2.335.1";
    for (int i = 0; i < 100; i++) {
      var ers = begun("%010d".formatted(i));
      var template = new PodTemplateSpecBuilder(ers.getSpec().template().podTemplate()).build();
      template.getSpec().getContainers().get(1).setImage(image);
      ers.setSpec(ers.getSpec().toBuilder().template(StoredTemplate.of(template)).build());
      record(stored(), ers);
    }
    assertThat(history()).hasSize(100);
    var json = Serialization.asJson(stored().statusOrNone().history());
    assertThat(json.getBytes(StandardCharsets.UTF_8).length).isBetween(20_000, 31_000);
  }

  @ParameterizedTest
  @CsvSource({
    "2.335.1, true",
    "v2.335.1-rc.1, true",
    "2.335.1+build, true",
    "2.335, false",
    "latest, false",
    "'', true",
    "2.335.1-0123456789012345678901234567890123456789012345678901234567890123, false",
  })
  void theSchemaTakesVersionsOnly(String version, boolean taken) {
    var wanted = Sets.json("{'spec': {'runnerVersion': '" + version + "'}}");
    var change =
        assertThatCode(() -> kube.merge(AutoScalingRunnerSet.class, Resource.of(set), wanted));
    if (taken) {
      change.doesNotThrowAnyException();
    } else {
      change.isInstanceOfSatisfying(
          KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(422));
    }
  }

  /** Ranking a list of thousands, which only a hand can write, would take the controller's time. */
  @Test
  void theSchemaTakesNoLongerListThanTheControllerWrites() {
    var entry =
        "{'state': 'Partial', 'version': '', 'image': 'i', 'revision': 'r',"
            + " 'startedTime': '2026-11-21T12:00:00Z'}";
    int most = HistoryPolicy.DEFAULT.maxEntries();
    var full =
        Sets.json("{'history': [" + String.join(",", Collections.nCopies(most, entry)) + "]}");
    var over =
        Sets.json("{'history': [" + String.join(",", Collections.nCopies(most + 1, entry)) + "]}");
    kube.mergeStatus(AutoScalingRunnerSet.class, Resource.of(set), full);
    assertThatThrownBy(() -> kube.mergeStatus(AutoScalingRunnerSet.class, Resource.of(set), over))
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(422));
  }

  @Test
  void theSchemaSaysThatEntriesMayHaveBeenPruned() {
    assertThat(Crds.yaml()).contains("may have been pruned");
  }
}
