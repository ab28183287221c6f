package dev.runnerset.demo.cluster;

import dev.runnerset.controller.manifests.Manifests;
import dev.runnerset.controller.manifests.Manifests.Reach;
import io.fabric8.kubernetes.client.Config;
import java.nio.file.Path;
import java.util.Optional;

/** The API server a rehearsal runs on. */
public interface Cluster extends AutoCloseable {
  /** Of the set. */
  String NAMESPACE = "demo";

  /** The identities of both programs, and the namespace that roles stand in. */
  static String identities(Reach reach) {
    return "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: %s}\n".formatted(NAMESPACE)
        + Manifests.identities(Manifests.Names.defaults(), reach);
  }

  /** Where it is and what it is, for people. */
  String description();

  /** Access with all rights: for the rehearsal itself and the simulated node. */
  Config admin();

  /** Access as the controller's service account, where the server knows identities. */
  Path controllerKubeconfig();

  /** Access as the listener's service account, where the server knows identities. */
  Path listenerKubeconfig();

  /** What the server counted so far; empty where it cannot be asked. */
  Optional<WriteCounts> counts();

  /** Processor time of the server in milliseconds; empty where it is not ours to ask. */
  Optional<Long> cpuMillis();

  @Override
  void close();
}
