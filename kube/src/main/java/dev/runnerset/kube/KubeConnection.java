package dev.runnerset.kube;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The way to the cluster, found by the usual rules. */
public final class KubeConnection {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(KubeApi.TIMEOUT_SECONDS);
  private static final Duration WATCH_PAUSE = Duration.ofSeconds(1);
  private static final Duration PING = Duration.ofSeconds(30);

  /** Whoever asked asks again by itself, with backoff: a request is repeated once at most. */
  private static final int REPEATS = 1;

  private KubeConnection() {}

  /**
   * A client of the cluster that the file names, else {@code KUBECONFIG}, else the pod's service
   * account, else {@code ~/.kube/config}. Sends nothing yet.
   *
   * @param userAgent the name under which the server's audit log shows the requests
   * @throws UnreachableClusterException with one sentence for the user
   */
  public static KubernetesClient connect(Optional<Path> kubeconfig, String userAgent) {
    var config = config(kubeconfig, Surroundings.ofThisProcess(), Clock.systemUTC());
    return client(config, userAgent);
  }

  static KubernetesClient client(Config config, String userAgent) {
    config.setUserAgent(userAgent);
    config.setConnectionTimeout((int) CONNECT_TIMEOUT.toMillis());
    config.setRequestTimeout((int) REQUEST_TIMEOUT.toMillis());
    config.setRequestRetryBackoffLimit(REPEATS);
    config.setWatchReconnectInterval((int) WATCH_PAUSE.toMillis());
    config.setWatchReconnectLimit(-1);
    config.setWebsocketPingInterval(PING.toMillis());
    try {
      return new KubernetesClientBuilder().withConfig(config).build();
    } catch (RuntimeException e) {
      throw new UnreachableClusterException(
          "No client can be made for " + config.getMasterUrl() + ": " + innermost(e), e);
    }
  }

  static Config config(Optional<Path> explicit, Surroundings surroundings, Clock clock) {
    if (explicit.isPresent()) {
      return Kubeconfig.read(List.of(explicit.get())).config(clock);
    }
    var named = surroundings.namedKubeconfigs();
    if (!named.isEmpty()) {
      return Kubeconfig.read(existing(named)).config(clock);
    }
    if (surroundings.isInCluster()) {
      return inCluster(surroundings, clock);
    }
    if (Files.exists(surroundings.defaultKubeconfig())) {
      return Kubeconfig.read(List.of(surroundings.defaultKubeconfig())).config(clock);
    }
    throw new UnreachableClusterException(
        "There is no cluster to talk to: name one with --kubeconfig or KUBECONFIG, or run in a pod"
            + " with a service account");
  }

  /** As kubectl does: of several files those that are there, but at least one must be. */
  private static List<Path> existing(List<Path> named) {
    var there = named.stream().filter(Files::exists).toList();
    return there.isEmpty() ? List.of(named.getFirst()) : there;
  }

  private static Config inCluster(Surroundings surroundings, Clock clock) {
    var config = Config.empty();
    config.setMasterUrl(surroundings.inClusterUrl());
    config.setOauthTokenProvider(new TokenFile(surroundings.tokenFile(), clock));
    if (Files.isReadable(surroundings.caFile())) {
      config.setCaCertFile(surroundings.caFile().toString());
    }
    return config;
  }

  private static String innermost(Throwable failure) {
    var cause = failure;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }
}
