package dev.runnerset.deployment;

import dev.runnerset.testcluster.HelmProgram;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Runs helm, with all of its own files in a folder of the test. */
final class Helm {
  private static final int LIMIT_MINUTES = 3;

  private final Path home;
  private final Optional<Path> kubeconfig;

  private Helm(Path home, Optional<Path> kubeconfig) {
    this.home = home;
    this.kubeconfig = kubeconfig;
  }

  /** For what needs no cluster; the calling test is skipped where there is no helm. */
  static Helm offline(Path home) {
    HelmProgram.unavailableReason().ifPresent(Assumptions::abort);
    return new Helm(home, Optional.empty());
  }

  /** For the cluster of that kubeconfig. */
  static Helm on(Path kubeconfig, Path home) {
    HelmProgram.unavailableReason().ifPresent(Assumptions::abort);
    return new Helm(home, Optional.of(kubeconfig));
  }

  /** What a call ended with. */
  record Result(int exit, String out, String err) {
    /**
     * The same, if the call was carried out.
     *
     * @throws AssertionError with what helm said, if it was not
     */
    Result orFail() {
      if (exit != 0) {
        throw new AssertionError("helm ended with " + exit + ":\n" + out + err);
      }
      return this;
    }
  }

  Result run(String... arguments) {
    try {
      Files.createDirectories(home);
      var out = Files.createTempFile(home, "helm", ".out");
      var err = Files.createTempFile(home, "helm", ".err");
      var command =
          Stream.concat(Stream.of(HelmProgram.path().toString()), Stream.of(arguments)).toList();
      var builder =
          new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
      var environment = builder.environment();
      environment.put("HELM_CACHE_HOME", home.resolve("cache").toString());
      environment.put("HELM_CONFIG_HOME", home.resolve("config").toString());
      environment.put("HELM_DATA_HOME", home.resolve("data").toString());
      environment.put("KUBECONFIG", kubeconfig.map(Path::toString).orElse("/dev/null"));
      var process = builder.start();
      if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new AssertionError("helm does not end: " + command + "\n" + Files.readString(err));
      }
      return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The objects that a chart makes of these arguments, as release {@code runnerset}. */
  List<GenericKubernetesResource> template(Path chart, String... arguments) {
    var call =
        Stream.concat(
            Stream.of(
                "template",
                "runnerset",
                chart.toString(),
                "-n",
                "runnerset-system",
                "--skip-tests"),
            Stream.of(arguments));
    return objects(run(call.toArray(String[]::new)).orFail().out());
  }

  /** The objects in some YAML documents; an empty document is none. */
  static List<GenericKubernetesResource> objects(String yaml) {
    return Stream.of(yaml.split("(?m)^---$"))
        .filter(text -> text.lines().anyMatch(l -> !l.isBlank() && !l.startsWith("#")))
        .map(text -> Serialization.unmarshal(text, GenericKubernetesResource.class))
        .toList();
  }
}
