package dev.runnerset.controller.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.RunnerList;
import dev.runnerset.controller.metrics.LeftOver;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetSpec;
import dev.runnerset.crds.NameReference;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import dev.runnerset.testsupport.TestClock;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.lang.reflect.Proxy;
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
      new KubeApi(fake(KubernetesClient.class, Map.of())) {
        @Override
        public <T extends HasMetadata> @Nullable T get(Class<T> kind, Resource at) {
          return atTheServer.contains(at.name()) ? kind.cast(runner(at.name())) : null;
        }
      };

  /** The caches know of no runner. */
  private final AuditedSets sets =
      fake(
          AuditedSets.class,
          Map.of(
              "memory", args -> new AtomicReference<>(AuditState.NEW),
              "runner", args -> Optional.empty(),
              "one", args -> Optional.empty(),
              "isNameOf", args -> true,
              "removeRegistration", args -> remove((String) args[1])));

  interface Answer {
    @Nullable Object to(Object[] arguments);
  }

  static <T> T fake(Class<T> type, Map<String, Answer> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, args) -> {
              var answer = answers.get(method.getName());
              if (answer == null) {
                throw new AssertionError("not expected: " + method.getName());
              }
              return answer.to(args);
            }));
  }

  private Optional<LeftOver.Result> remove(String name) {
    removed.add(name);
    return Optional.of(LeftOver.Result.GONE);
  }

  private static EphemeralRunner runner(String name) {
    var runner = new EphemeralRunner();
    runner.setMetadata(new ObjectMetaBuilder().withNamespace("n").withName(name).build());
    return runner;
  }

  static EphemeralRunnerSet set() {
    var set = new EphemeralRunnerSet();
    set.setMetadata(
        new ObjectMetaBuilder().withNamespace("n").withName("linux").withUid("u").build());
    set.setSpec(
        EphemeralRunnerSetSpec.builder(
                "https://github.com/o", new NameReference("s"), 1, "r1", new PodTemplateSpec())
            .build());
    return set;
  }

  @Test
  void aRunnerThatTheCachesDoNotShowKeepsItsRegistration() {
    var listed =
        new RunnerList(
            List.of(
                new RunnerList.Listed(new RunnerId(1), "there", false),
                new RunnerList.Listed(new RunnerId(2), "gone", false)),
            2);
    var service = fake(ActionsService.class, Map.of("runners", args -> listed));
    var search =
        new LeftOverSearch(
            sets,
            Stream::of,
            key -> service,
            new LeftOvers(sets, kube, (about, reason, message) -> {}, new Meters()),
            clock);
    atTheServer.add("there");
    var _ = search.registrations(set(), 2, Doubt.NONE);
    assertThat(removed).containsExactly("gone");
  }
}
