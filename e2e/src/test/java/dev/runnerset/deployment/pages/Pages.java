package dev.runnerset.deployment.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.e2e.RepositoryFiles;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The pages and the YAML files of this repository that users read and apply. */
final class Pages {
  private Pages() {}

  /** The blocks of all pages: of the root, of {@code docs}, and beside charts. */
  static List<Fence> fences() throws IOException {
    var fences = new ArrayList<Fence>();
    for (var page : files(path -> path.endsWith(".md"))) {
      fences.addAll(Fence.of(page, RepositoryFiles.read(page)));
    }
    assertThat(fences).as("blocks of pages").isNotEmpty();
    return fences;
  }

  /** The commands of all pages. */
  static List<Command> commands() throws IOException {
    return fences().stream().flatMap(fence -> Command.of(fence).stream()).toList();
  }

  /** The YAML that users are shown: blocks, here-documents, files in docs and examples. */
  static List<Fence> yaml() throws IOException {
    var texts = new ArrayList<Fence>();
    for (var fence : fences()) {
      if (fence.language().equals("yaml") || fence.language().equals("yml")) {
        texts.add(fence);
      }
    }
    for (var command : commands()) {
      command
          .hereDocument()
          .filter(_ -> command.text().startsWith("kubectl "))
          .ifPresent(text -> texts.add(new Fence(command.place(), 0, "yaml", text)));
    }
    for (var file :
        files(p ->
            p.matches("(docs|examples)/.*\\.ya?ml")
                || p.matches("charts/.*/examples/.*\\.ya?ml"))) {
      texts.add(new Fence(file, 1, "yaml", RepositoryFiles.read(file)));
    }
    return texts;
  }

  /** The keys of a chart's values, those at the top. */
  static Set<String> valuesOf(String chart) {
    try {
      var values = Files.readString(RepositoryFiles.chart(chart).resolve("values.yaml"));
      return Serialization.unmarshal(values, GenericKubernetesResource.class)
          .getAdditionalProperties()
          .keySet();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> files(Predicate<String> which) throws IOException {
    try (Stream<Path> all = Files.walk(RepositoryFiles.ROOT)) {
      return all.filter(Files::isRegularFile)
          .map(path -> RepositoryFiles.ROOT.relativize(path).toString())
          .filter(path -> !path.matches("(.*/)?(target|src|\\.git|node_modules)/.*"))
          .filter(which)
          .sorted()
          .toList();
    }
  }
}
