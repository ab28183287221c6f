package dev.runnerset.e2e.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.demo.figures.Percentiles;
import dev.runnerset.demo.world.World;
import dev.runnerset.e2e.Play;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How soon the number follows a quota on a real control plane. The test prints the figures. */
@Tag("nightly")
final class RealQuotaFiguresIT {
  private static final int CHANGES = Integer.getInteger("quota.changes", 100);
  private static final int MAX = 500;
  private static final long SEED = 39_4;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration BAR = Duration.ofSeconds(2);
  private static final String QUOTA = "few";

  @TempDir Path folder;
  private final Map<Integer, Instant> listenerHasNumberAt = new ConcurrentHashMap<>();

  @Test
  void theNumberFollowsAQuotaWithinTwoSeconds() throws IOException {
    try (var cluster = Play.realCluster(folder);
        var world = Play.world(cluster, folder)) {
      world.start();
      world.prepare();
      world.kube().resource(quota(MAX - 1)).create();
      world.makeSet(World.SET, 0, MAX);
      awaitNumber(world, MAX - 1);
      try (var watch =
          world
              .kube()
              .resources(AutoScalingListener.class)
              .inAnyNamespace()
              .inform(new Numbers(world))) {
        assertThat(watch.isRunning()).isTrue();
        measure(world);
      }
    }
  }

  private void measure(World world) {
    var random = new Random(SEED);
    var toObject = new ArrayList<Duration>();
    var toService = new ArrayList<Duration>();
    for (int i = 0; i < CHANGES; i++) {
      int number = i % 2 == 0 ? 10 + i : 300 + i; // a fall, and a rise
      var begun = world.now();
      world
          .kube()
          .resourceQuotas()
          .inNamespace(World.NAMESPACE)
          .withName(QUOTA)
          .patch(
              PatchContext.of(PatchType.JSON_MERGE),
              "{\"spec\": {\"hard\": {\"pods\": \"%d\"}}}".formatted(number));
      awaitNumber(world, number);
      toService.add(Duration.between(begun, world.now()));
      toObject.add(Duration.between(begun, seen(number)));
      world.pass(Duration.ofMillis(1_200 + random.nextInt(1_000)));
    }
    print("the spec of the listener object", toObject);
    print("a poll at the service", toService);
  }

  /** When this process has seen the number; its own watch may be later than the poll. */
  private Instant seen(int number) {
    return Awaitility.await("an event of the listener with " + number)
        .pollInterval(Duration.ofMillis(5))
        .atMost(PATIENCE)
        .until(() -> listenerHasNumberAt.get(number), Objects::nonNull);
  }

  private static void print(String what, List<Duration> times) {
    var found = Percentiles.of(times);
    System.out.printf(
        "figure: from %d changes of a quota to %s: %d ms at the median, %d at p99, %d at most%n",
        found.count(), what, found.p50(), found.p99(), found.max());
    assertThat(found.p99()).as(what).isLessThan(BAR.toMillis());
  }

  private static ResourceQuota quota(int pods) {
    return new ResourceQuotaBuilder()
        .withNewMetadata()
        .withName(QUOTA)
        .withNamespace(World.NAMESPACE)
        .endMetadata()
        .withNewSpec()
        .addToHard("pods", new Quantity(String.valueOf(pods)))
        .endSpec()
        .build();
  }

  /** In steps of some milliseconds: the service is in this process. */
  private static void awaitNumber(World world, int number) {
    Awaitility.await("the number " + number)
        .pollInterval(Duration.ofMillis(5))
        .atMost(PATIENCE)
        .until(() ->
            world.service().scaleSets().stream()
                .anyMatch(set -> Objects.equals(set.capacity(), number)));
  }

  private final class Numbers implements ResourceEventHandler<AutoScalingListener> {
    private final World world;

    Numbers(World world) {
      this.world = world;
    }

    @Override
    public void onAdd(AutoScalingListener listener) {
      listenerHasNumberAt.putIfAbsent(listener.getSpec().capacity(), world.now());
    }

    @Override
    public void onUpdate(AutoScalingListener before, AutoScalingListener now) {
      onAdd(now);
    }

    @Override
    public void onDelete(AutoScalingListener listener, boolean unknown) {}
  }
}
