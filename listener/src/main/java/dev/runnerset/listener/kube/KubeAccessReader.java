package dev.runnerset.listener.kube;

import dev.runnerset.connection.ConnectionKey;
import dev.runnerset.connection.ConnectionReader;
import dev.runnerset.connection.ConnectionSettings;
import dev.runnerset.crds.AutoScalingListenerSpec;
import dev.runnerset.listener.session.context.AccessReader;

/** Reads each object that a listener object names, live, by name: the listener may not list. */
public record KubeAccessReader(ConnectionReader reader) implements AccessReader {
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
    return KubeSetWriter.asked(() -> reader.read(key));
  }
}
