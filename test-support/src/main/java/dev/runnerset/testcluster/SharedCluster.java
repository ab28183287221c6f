package dev.runnerset.testcluster;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The one cluster of this JVM: whoever comes first starts it, the others wait. */
final class SharedCluster {
  private static final AtomicReference<@Nullable SharedCluster> FIRST = new AtomicReference<>();

  private final List<String> yaml;
  private final CompletableFuture<TestCluster> cluster = new CompletableFuture<>();

  private SharedCluster(List<String> yaml) {
    this.yaml = List.copyOf(yaml);
  }

  static TestCluster with(List<String> yaml) {
    SharedCluster mine = new SharedCluster(yaml);
    SharedCluster first = FIRST.compareAndExchange(null, mine);
    if (first == null) {
      mine.start();
      return mine.await();
    }
    if (!first.yaml.equals(mine.yaml)) {
      throw new IllegalArgumentException("the cluster of this JVM was started with other objects");
    }
    return first.await();
  }

  /** A failure is kept: the next test would only wait as long for the same. */
  private void start() {
    try {
      cluster.complete(TestCluster.start(TestCluster.Options.defaults().withYaml(yaml)));
    } catch (RuntimeException | Error e) {
      cluster.completeExceptionally(e);
    }
  }

  private TestCluster await() {
    try {
      return cluster.join();
    } catch (CompletionException e) {
      throw new ClusterStartException("the cluster of this JVM did not start", e);
    }
  }
}
