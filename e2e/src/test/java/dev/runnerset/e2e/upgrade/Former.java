package dev.runnerset.e2e.upgrade;

import dev.runnerset.crds.Crds;
import dev.runnerset.demo.programs.Program;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The version before: that of the folder which the environment variable {@value #FOLDER} names, as
 * {@code .ci/previous} makes it; this build itself where none is named. Its kinds lack two fields
 * in any case, so that an upgrade of the kinds has something to add.
 *
 * @param words for people
 * @param classPath of its programs; null for those of this build
 * @param kinds one YAML document each
 */
record Former(String words, @Nullable String classPath, List<CustomResourceDefinition> kinds) {
  static final String FOLDER = "RUNNERSET_PREVIOUS";

  Former {
    kinds = List.copyOf(kinds);
  }

  static Former ofEnvironment() {
    var folder = System.getenv(FOLDER);
    try {
      return folder == null || folder.isEmpty()
          ? new Former("this build", null, older(Crds.yaml()))
          : of(Path.of(folder));
    } catch (IOException e) {
      throw new UncheckedIOException(FOLDER + "=" + folder + ": make it with .ci/previous", e);
    }
  }

  /** That program, of this version. */
  Program in(Program program) {
    return classPath == null ? program : program.of(classPath);
  }

  private static Former of(Path folder) throws IOException {
    return new Former(
        Files.readString(folder.resolve("words")).strip(),
        Files.readString(folder.resolve("class-path")).strip(),
        older(Files.readString(folder.resolve("crds.yaml"))));
  }

  private static List<CustomResourceDefinition> older(String yaml) {
    return kinds(yaml).stream().map(Former::withoutTwoFields).toList();
  }

  static List<CustomResourceDefinition> kinds(String yaml) {
    return yaml.lines().toList().isEmpty()
        ? List.of()
        : List.of(yaml.split("(?m)^---\n")).stream()
            .filter(document -> !document.isBlank())
            .map(document -> Serialization.unmarshal(document, CustomResourceDefinition.class))
            .toList();
  }

  private static CustomResourceDefinition withoutTwoFields(CustomResourceDefinition kind) {
    var schema = kind.getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema();
    var status = Objects.requireNonNull(schema.getProperties().get("status")).getProperties();
    switch (kind.getSpec().getNames().getKind()) {
      case "AutoScalingRunnerSet" -> status.remove("capacity");
      case "EphemeralRunnerSet" -> status.remove("jobs");
      default -> {}
    }
    return kind;
  }
}
