package dev.runnerset.listener.kube;

import dev.runnerset.connection.ConnectionKey;
import dev.runnerset.connection.ConnectionReader;
import dev.runnerset.connection.ConnectionSettings;
import dev.runnerset.crds.AutoScalingListenerSpec;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.listener.session.context.AccessReader;
import dev.runnerset.listener.session.context.KubeRefusal;
import io.fabric8.kubernetes.client.KubernetesClientException;

/** Reads each object that a listener object names, live, by name: the listener may not list. */
public final class KubeAccessReader implements AccessReader {
  private final ConnectionReader reader;

  /** Reads through the API given. */
  public KubeAccessReader(KubeApi kube) {
    this.reader = new ConnectionReader(kube);
  }

  @Override
  public ConnectionSettings read(AutoScalingListenerSpec spec) {
    var secret = spec.githubConfigSecret();
    // proxy secrets and the config map stand in the set's namespace, as the credentials do
    var key =
        new ConnectionKey(
            secret.namespace(),
            spec.githubConfigUrl(),
            secret.name(),
            spec.proxy(),
            spec.githubServerTLS());
    try {
      return reader.read(key);
    } catch (KubernetesClientException e) {
      throw KubeRefusal.of(e.getCode(), e.getMessage());
    }
  }
}
