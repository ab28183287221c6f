package dev.runnerset.controller.features.leftovers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.RunnerList;
import dev.runnerset.base.metrics.Meters;
import dev.runnerset.controller.audit.AuditState;
import dev.runnerset.controller.audit.AuditedSets;
import dev.runnerset.controller.audit.Doubt;
import dev.runnerset.controller.metrics.LeftOver;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.removal.RunnersOfSet;
import dev.runnerset.controller.testing.Fakes;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import dev.runnerset.testsupport.Exposition;
import dev.runnerset.testsupport.TestClock;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** I5: a registration goes only if the server, and not just a cache, has no runner of its name. */
final class LeftOverSearchTest {
  private final TestClock clock = new TestClock();
  private final Set<String> atTheServer = new HashSet<>();
  private final List<String> removed = new ArrayList<>();

  private final KubeApi kube =
      new KubeApi(Fakes.fake(KubernetesClient.class, Map.of())) {
        @Override
        public <T extends HasMetadata> @Nullable T get(Class<T> kind, Resource at) {
          return atTheServer.contains(at.name()) ? kind.cast(runner(at.name())) : null;
        }
      };

  private final Meters meters = Meter.series();
  private final AtomicReference<AuditState> state = new AtomicReference<>(AuditState.unknown());

  /** The caches know of no runner. */
  private final AuditedSets sets =
      Fakes.fake(
          AuditedSets.class,
          Map.of(
              "memory", args -> state,
              "runner", args -> Optional.empty(),
              "one", args -> Optional.empty(),
              "isNameOf", args -> ((String) args[1]).startsWith("ci-"),
              "removeRegistration", args -> remove((String) args[1])));

  private Optional<LeftOver.Result> remove(String name) {
    removed.add(name);
    return Optional.of(LeftOver.Result.GONE);
  }

  private static EphemeralRunner runner(String name) {
    var runner = new EphemeralRunner();
    runner.setMetadata(new ObjectMetaBuilder().withNamespace("n").withName(name).build());
    return runner;
  }

  private LeftOverSearch search(Stream<String> lines) {
    var listed =
        lines
            .map(each -> each.split(" "))
            .map(each ->
                new RunnerList.Listed(
                    new RunnerId(Long.parseLong(each[0])), each[1], each[1].equals("ci-busy")))
            .toList();
    var service =
        Fakes.fake(ActionsService.class, Map.of("runners", args -> new RunnerList(listed, 6)));
    return new LeftOverSearch(
        sets,
        Stream::of,
        key -> service,
        new RunnerLists(key -> service, clock),
        new LeftOvers(sets, kube, (about, reason, message) -> {}, meters),
        clock);
  }

  /** Somebody took its finalizer off: it was passed over, and the next search came 10 min later. */
  @Test
  void rn20TheRegistrationOfARunnerThatWentJustNowIsSearchedForWhenItIsOldEnough() {
    var runners = RunnersOfSet.of(List.of(Runners.idle("ci-known").view()), clock.instant());
    state.get().seen().observe(runners.changes(), clock.instant());
    state
        .get()
        .seen()
        .observe(Runners.next(runners, List.of(), clock.instant()).changes(), clock.instant());
    var doubt = search(Stream.of("2 ci-known")).registrations(Fakes.set(), 1, Doubt.NONE);
    assertThat(removed).isEmpty();
    assertThat(doubt.searchFrom()).isEqualTo(clock.instant().plus(Duration.ofMinutes(5)));
    assertThat(doubt.fruitless()).isOne();
  }

  /** Of a set whose runners come and go all the time there is always one that went just now. */
  @Test
  void rn20SearchesThatAreAlwaysTooSoonAreFewerAndFewer() {
    var doubt = Doubt.NONE;
    for (int searches = 1; searches <= 4; searches++) {
      var name = "ci-" + searches;
      var runners = RunnersOfSet.of(List.of(Runners.idle(name).view()), clock.instant());
      state.get().seen().observe(runners.changes(), clock.instant());
      state
          .get()
          .seen()
          .observe(Runners.next(runners, List.of(), clock.instant()).changes(), clock.instant());
      doubt = search(Stream.of("2 " + name)).registrations(Fakes.set(), 1, doubt);
      assertThat(removed).isEmpty();
      assertThat(doubt.fruitless()).isEqualTo(searches);
      clock.set(doubt.searchFrom());
    }
    assertThat(clock.instant()).isAfter(new TestClock().instant().plus(Duration.ofHours(1)));
  }

  @Test
  void theOldestNamesOfTheSetThatNobodyKnowsGoFirst() {
    var search =
        search(
            Stream.of("9 ci-new", "1 ci-old", "2 ci-known", "3 ci-busy", "4 other", "5 ci-there"));
    var runners = RunnersOfSet.of(List.of(Runners.idle("ci-known").view()), clock.instant());
    state.get().seen().observe(runners.changes(), clock.instant());
    atTheServer.add("ci-there");
    var _ = search.registrations(Fakes.set(), 5, Doubt.NONE);
    assertThat(removed).containsExactly("ci-old", "ci-new");
    assertThat(
            Exposition.of(meters::snapshots)
                .value("runnerset_left_overs_total", "n", "linux", "registration", "busy"))
        .isEqualTo(1);
  }
}
