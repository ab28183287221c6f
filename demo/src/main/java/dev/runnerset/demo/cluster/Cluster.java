package dev.runnerset.demo.cluster;

import dev.runnerset.testcluster.PlainManifests;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/** The API server a rehearsal runs on. */
public interface Cluster extends AutoCloseable {
  /** Of the set. */
  String NAMESPACE = "demo";

  /**
   * The identities of both programs, and the namespace that roles stand in.
   *
   * @param oneNamespace whether the controller has rights there only; those were rendered from the
   *     chart
   */
  static String identities(boolean oneNamespace) {
    return "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: %s}\n".formatted(NAMESPACE)
        + (oneNamespace ? ofOneNamespace() : PlainManifests.identities());
  }

  private static String ofOneNamespace() {
    try (var in = Cluster.class.getResourceAsStream("/single-namespace.yaml")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
