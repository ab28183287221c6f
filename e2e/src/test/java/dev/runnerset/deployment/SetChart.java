package dev.runnerset.deployment;

import dev.runnerset.e2e.RepositoryFiles;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The chart {@code charts/runnerset-set} and the values files of its tests. */
final class SetChart {
  static final String FOLDER = RepositoryFiles.chart("runnerset-set").toString();
  static final Path TESTDATA = RepositoryFiles.chart("runnerset-set").resolve("testdata");

  /** helm takes another version for the cluster's where there is none. */
  private static final String KUBE_VERSION = "1.36.3";

  private SetChart() {}

  /** What helm prints for a values file of the tests, as release {@code linux} in {@code teams}. */
  static String rendered(Path home, String values) {
    return runWith(home, values(values), "template", "linux", FOLDER, "--namespace", "teams")
        .orFail()
        .out();
  }

  /** One call of helm with a values file. */
  static Helm.Result runWith(Path home, Path values, String... arguments) {
    var more = Stream.of("--kube-version", KUBE_VERSION, "--values", values.toString());
    return Helm.offline(home).run(Stream.concat(Stream.of(arguments), more).toArray(String[]::new));
  }

  /** A values file of the tests. */
  static Path values(String name) {
    return TESTDATA.resolve(name + ".values.yaml");
  }
}
