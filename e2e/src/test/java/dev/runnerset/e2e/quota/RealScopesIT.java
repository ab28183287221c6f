package dev.runnerset.e2e.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.demo.world.World;
import dev.runnerset.e2e.Play;
import dev.runnerset.e2e.SeparateSet;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The number of a set is what the real quotas of its namespace let through, whatever their scopes
 * are (DM13): all jobs that it takes run, and the server refuses one more such pod.
 */
final class RealScopesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration JOB = Duration.ofMinutes(10);
  private static final int MAX = 20;
  private static final String LOW = "scopes-low";

  private static final List<Row> ROWS =
      List.of(
          new Row("plain", 5, "besteffort: pods", "", ""),
          new Row("ends", 2, "terminating: pods", "", "activeDeadlineSeconds: 36000"),
          new Row("sized", 6, "sized: requests.cpu", "500m", ""),
          new Row("low", 7, "low: pods", "100m", "priorityClassName: " + LOW));

  @TempDir Path folder;

  /**
   * A set in a namespace of its own.
   *
   * @param number what its quotas leave
   * @param of the quota that decides, and its resource
   * @param cpu what the LimitRange of the namespace gives a container; empty for none
   * @param pod more of the pod's spec
   */
  private record Row(String set, int number, String of, String cpu, String pod) {
    String objects() {
      var range =
          """
          apiVersion: v1
          kind: LimitRange
          metadata: {name: sizes, namespace: %s}
          spec: {limits: [{type: Container, defaultRequest: {cpu: %s}}]}
          """
              .formatted(set, cpu);
      var low =
          "scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [%s]}]}"
              .formatted(LOW);
      return Stream.of(
              quota("terminating", "pods: \"2\"", "scopes: [Terminating]"),
              quota("lasting", "pods: \"9\"", "scopes: [NotTerminating]"),
              quota("besteffort", "pods: \"5\"", "scopes: [BestEffort]"),
              quota("sized", "requests.cpu: \"3\"", "scopes: [NotBestEffort]"),
              quota("low", "pods: \"7\"", low),
              cpu.isEmpty() ? "" : range)
          .filter(object -> !object.isEmpty())
          .collect(Collectors.joining("---\n"));
    }

    private String quota(String name, String hard, String scopes) {
      return """
      apiVersion: v1
      kind: ResourceQuota
      metadata: {name: %s, namespace: %s}
      spec: {hard: {%s}, %s}
      """
          .formatted(name, set, hard, scopes);
    }
  }

  @Test
  void aSetTakesAsManyJobsAsTheQuotasOfAllScopesLetThrough() throws IOException {
    try (var cluster = Play.realCluster(folder);
        var world = Play.world(cluster, folder)) {
      world.start();
      var sets =
          ROWS.stream()
              .map(row -> new SeparateSet(row.set(), world, Map.of(), world.clock()))
              .toList();
      try {
        sets.getFirst()
            .apply(
                "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: %s},"
                        .formatted(LOW)
                    + " value: 1}");
        for (int i = 0; i < sets.size(); i++) {
          make(ROWS.get(i), sets.get(i));
        }
        for (int i = 0; i < sets.size(); i++) {
          check(ROWS.get(i), sets.get(i));
        }
      } finally {
        sets.forEach(SeparateSet::close);
      }
    }
  }

  private static void make(Row row, SeparateSet set) {
    set.prepare();
    set.apply(row.objects());
    await(set, "the quotas are computed", () -> areComputed(set));
    set.make("", row.pod(), MAX);
  }

  private static boolean areComputed(SeparateSet set) {
    return set
        .world()
        .kube()
        .resourceQuotas()
        .inNamespace(set.namespace())
        .list()
        .getItems()
        .stream()
        .allMatch(quota -> quota.getStatus() != null && !quota.getStatus().getUsed().isEmpty());
  }

  private static void check(Row row, SeparateSet set) {
    await(set, row + ", at the service: " + capacity(set), () -> capacity(set) == row.number());
    var capacity = Objects.requireNonNull(set.get()).statusOrNone().capacity();
    assertThat(Objects.requireNonNull(capacity).limits())
        .singleElement()
        .satisfies(limit -> assertThat(limit.of()).isEqualTo(row.of()));
    set.jobs(row.number() + 4, JOB);
    await(set, "all that have a place run", () -> busy(set) == row.number());
    set.world().pass(Duration.ofSeconds(3));
    assertThat(busy(set)).isEqualTo(row.number());
    assertThat(set.service().control().scaleSets().getFirst().statistics().assigned())
        .isEqualTo(row.number());
    assertThat(set.registrations()).as("JIT configs").isEqualTo(row.number());
    var pods = pods(set);
    assertThat(pods).hasSize(row.number());
    var another = set.world().kube().resource(copy(pods.getFirst()));
    assertThatThrownBy(another::create)
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("exceeded quota: " + row.of().replaceFirst(":.*", ""));
  }

  private static Pod copy(Pod pod) {
    return new PodBuilder()
        .withNewMetadata()
        .withName("one-more")
        .withNamespace(pod.getMetadata().getNamespace())
        .endMetadata()
        .withSpec(pod.getSpec())
        .editSpec()
        .withNodeName(null)
        .endSpec()
        .build();
  }

  private static List<Pod> pods(SeparateSet set) {
    return set.world().kube().pods().inNamespace(set.namespace()).list().getItems();
  }

  private static int capacity(SeparateSet set) {
    return set.service().control().scaleSets().stream()
        .map(each -> Objects.requireNonNullElse(each.capacity(), -1))
        .findFirst()
        .orElse(-1);
  }

  private static int busy(SeparateSet set) {
    return (int)
        set.service().control().runners().stream()
            .filter(runner -> runner.state().equals("BUSY"))
            .count();
  }

  private static void await(SeparateSet set, String what, BooleanSupplier done) {
    World world = set.world();
    world.await(
        set.name() + ": " + what,
        PATIENCE,
        done,
        () -> {
          var found = set.get();
          return capacity(set) + " places; " + (found == null ? "no set" : found.statusOrNone());
        });
  }
}
