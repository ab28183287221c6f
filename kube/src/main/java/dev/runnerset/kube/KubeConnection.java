package dev.runnerset.kube;

import dev.runnerset.base.Causes;
import dev.runnerset.kube.wire.ReadResources;
import dev.runnerset.kube.wire.WakefulHttpClients;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Connects to the cluster that the usual rules name. */
public final class KubeConnection {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(KubeApi.TIMEOUT_SECONDS);
  private static final Duration WATCH_PAUSE = Duration.ofSeconds(1);

  /** A request is repeated once at most, since callers ask again by themselves, with backoff. */
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
    return connect(kubeconfig, Optional.empty(), userAgent);
  }

  /**
   * The same for a context of the kubeconfig that is not the current one.
   *
   * @param context empty for the current one
   */
  public static KubernetesClient connect(
      Optional<Path> kubeconfig, Optional<String> context, String userAgent) {
    var environment = ProcessEnvironment.ofThisProcess();
    return client(config(kubeconfig, context, environment, Clock.systemUTC()), userAgent);
  }

  static KubernetesClient client(Config config, String userAgent) {
    config.setUserAgent(userAgent);
    config.setConnectionTimeout((int) CONNECT_TIMEOUT.toMillis());
    config.setRequestTimeout((int) REQUEST_TIMEOUT.toMillis());
    config.setRequestRetryBackoffLimit(REPEATS);
    config.setWatchReconnectInterval((int) WATCH_PAUSE.toMillis());
    config.setWatchReconnectLimit(-1);
    try {
      return new KubernetesClientBuilder()
          .withConfig(config)
          .withHttpClientFactory(httpClients())
          .withKubernetesSerialization(new ReadResources())
          .build();
    } catch (RuntimeException e) {
      throw new UnreachableClusterException(
          "No client can be made for " + config.getMasterUrl() + ": " + Causes.innermost(e), e);
    }
  }

  /** Their requests end sooner than their callers give up: who waits in vain tells so. */
  static WakefulHttpClients httpClients() {
    return new WakefulHttpClients(REQUEST_TIMEOUT.minusSeconds(1));
  }

  static Config config(
      Optional<Path> explicit,
      Optional<String> context,
      ProcessEnvironment environment,
      Clock clock) {
    if (explicit.isPresent()) {
      return Kubeconfig.read(List.of(explicit.get())).config(context, clock);
    }
    var named = environment.namedKubeconfigs();
    if (!named.isEmpty()) {
      return Kubeconfig.read(existing(named)).config(context, clock);
    }
    if (environment.isInCluster() && context.isEmpty()) {
      return inCluster(environment, clock);
    }
    if (Files.exists(environment.defaultKubeconfig())) {
      return Kubeconfig.read(List.of(environment.defaultKubeconfig())).config(context, clock);
    }
    throw new UnreachableClusterException(
        "There is no cluster to talk to: name one with --kubeconfig or KUBECONFIG, or run in a pod"
            + " with a service account");
  }

  /** The files that exist, or the first one if none does; kubectl ignores missing files, too. */
  private static List<Path> existing(List<Path> named) {
    var there = named.stream().filter(Files::exists).toList();
    return there.isEmpty() ? List.of(named.getFirst()) : there;
  }

  private static Config inCluster(ProcessEnvironment environment, Clock clock) {
    var config = Config.empty();
    config.setMasterUrl(environment.inClusterUrl());
    config.setOauthTokenProvider(new TokenFile(environment.tokenFile(), clock));
    if (Files.isReadable(environment.caFile())) {
      config.setCaCertFile(environment.caFile().toString());
    }
    return config;
  }
}
