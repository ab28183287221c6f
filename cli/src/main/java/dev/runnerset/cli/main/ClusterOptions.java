package dev.runnerset.cli.main;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The flags that name a cluster and a namespace, as in kubectl. */
public final class ClusterOptions {
  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "the kubeconfig (KUBECONFIG, else ~/.kube/config)")
  private Optional<Path> kubeconfig = Optional.empty();

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "the context of the kubeconfig (the current one)")
  private Optional<String> context = Optional.empty();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAME",
      description = "the namespace (that of the context, else default)")
  private Optional<String> namespace = Optional.empty();

  /** The file that is named. */
  public Optional<Path> kubeconfig() {
    return kubeconfig;
  }

  /** The context that is named. */
  public Optional<String> context() {
    return context;
  }

  /** The namespace that is named. */
  public Optional<String> namespace() {
    return namespace;
  }
}
