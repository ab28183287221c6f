package dev.runnerset.demo;

import io.fabric8.kubernetes.client.Config;
import java.nio.file.Path;
import java.util.Optional;

/** The API server a rehearsal runs on. */
interface Cluster extends AutoCloseable {
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
