package dev.runnerset.testcluster;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;

/** Clients that see nothing of the environment but the kubeconfig they are given. */
final class Clients {
  private Clients() {}

  static KubernetesClient of(String kubeconfig, String userAgent) {
    Config config =
        new ConfigBuilder(Config.fromKubeconfig(kubeconfig)).withUserAgent(userAgent).build();
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withHttpClientFactory(new JdkHttpClientFactory())
        .build();
  }
}
