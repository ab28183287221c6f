package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Crds;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.simulator.kube.KubeApiServer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** One runner set at an API server in this process, and what its writers put into the caches. */
public final class StoredSet implements AutoCloseable, WriteCache {
  /** Its name; its namespace is {@code default}, that of the listener {@code l-ns}. */
  public static final String NAME = "linux";

  public final List<HasMetadata> created = new ArrayList<>();
  public final List<HasMetadata> changed = new ArrayList<>();
  public final KubeApiServer api = KubeApiServer.start(0, Clock.systemUTC());
  private final KubernetesClient client =
      new KubernetesClientBuilder().withConfig(Config.fromKubeconfig(api.kubeconfig())).build();
  private final AtomicLong nanos = new AtomicLong();

  /** What each patch of a status seems to take from now on. */
  Duration patchTakes = Duration.ZERO;

  public final KubeApi kube =
      new KubeApi(client, () -> nanos.getAndAdd(patchTakes.toNanos())); // read before and after it
  public final AutoScalingRunnerSet set;

  public StoredSet() {
    api.apply(Crds.yaml());
    api.apply("{apiVersion: v1, kind: Namespace, metadata: {name: l-ns}}");
    var wanted = Sets.set(NAME, "minRunners: 1");
    wanted.getMetadata().setNamespace("default");
    wanted.getMetadata().setUid(null);
    set = kube.create(wanted);
  }

  @Override
  public void created(HasMetadata made) {
    created.add(made);
  }

  @Override
  public void changed(HasMetadata before, HasMetadata after) {
    changed.add(after);
  }

  @Override
  public void close() {
    client.close();
    api.close();
  }
}
