package dev.runnerset.kube;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What a process finds around itself: environment variables, the user's home, and the folder into
 * which a cluster mounts a pod's identity.
 */
record ProcessEnvironment(Map<String, String> variables, Path home, Path serviceAccount) {
  static final Path SERVICE_ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

  static ProcessEnvironment ofThisProcess() {
    return new ProcessEnvironment(
        System.getenv(), Path.of(System.getProperty("user.home", "/")), SERVICE_ACCOUNT);
  }

  /** The files that {@code KUBECONFIG} names; empty when it is not set. */
  List<Path> namedKubeconfigs() {
    return Arrays.stream(variables.getOrDefault("KUBECONFIG", "").split(File.pathSeparator, -1))
        .filter(name -> !name.isBlank())
        .map(Path::of)
        .toList();
  }

  boolean isInCluster() {
    return !variables.getOrDefault("KUBERNETES_SERVICE_HOST", "").isEmpty()
        && Files.isReadable(tokenFile());
  }

  String inClusterUrl() {
    var host = variables.getOrDefault("KUBERNETES_SERVICE_HOST", "");
    var port = variables.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
    return "https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port + "/";
  }

  Path tokenFile() {
    return serviceAccount.resolve("token");
  }

  Path caFile() {
    return serviceAccount.resolve("ca.crt");
  }

  Path defaultKubeconfig() {
    return home.resolve(".kube").resolve("config");
  }
}
