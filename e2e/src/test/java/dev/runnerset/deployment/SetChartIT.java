package dev.runnerset.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What helm makes of {@code charts/runnerset-set}, without a cluster. Each file {@code
 * NAME.values.yaml} of {@code testdata} says in its first lines what it shows and what holds
 * whatever the golden file says: a kind, a JSON pointer and the value there, or nothing where there
 * is none; or a kind and {@code none}. The file {@code NAME.golden.yaml} has the whole result; with
 * {@code -Drunnerset.write=true} this test writes them.
 */
final class SetChartIT {
  private static final String FACT = "# holds: ";

  @TempDir private static Path home;

  static List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(SetChart.TESTDATA)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".values.yaml"))
          .map(name -> name.replace(".values.yaml", ""))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void whatIsRendered(String name) throws IOException {
    var text = SetChart.rendered(home, name);
    var comments = Files.readAllLines(SetChart.values(name)).stream();
    var facts = comments.filter(line -> line.startsWith(FACT)).toList();
    assertThat(facts).as("facts of " + name).isNotEmpty();
    facts.forEach(line -> check(text, line.substring(FACT.length())));
    Written.is(SetChart.TESTDATA.resolve(name + ".golden.yaml"), text);
  }

  @ParameterizedTest
  @MethodSource("names")
  void helmFindsNothingToComplainAbout(String name) {
    var lint = SetChart.runWith(home, SetChart.values(name), "lint", "--strict", SetChart.FOLDER);
    assertThat(lint.orFail().out()).contains("1 chart(s) linted, 0 chart(s) failed");
  }

  /** P-D: as in a file where the lines below a key are commented out. */
  @Test
  void aKeyWithoutAValueIsAsIfItWereAbsent() throws IOException {
    var needed = "githubConfigUrl: https://github.com/my-org\ngithubConfigSecret: github\n";
    var made = made(needed);
    var none = Set.of("githubConfigUrl", "githubConfigSecret", "clusterRole");
    for (var text : ValuesWithoutValues.of(Path.of(SetChart.FOLDER).resolve("values.yaml"), none)) {
      assertThat(made(needed + text.replaceFirst("^---\n", ""))).as(text).isEqualTo(made);
    }
  }

  private static String made(String values) throws IOException {
    var file = Files.writeString(Files.createTempFile(home, "made", ".values.yaml"), values);
    return SetChart.runWith(home, file, "template", "linux", SetChart.FOLDER).orFail().out();
  }

  private static void check(String text, String fact) {
    var parts = fact.split(" ", 3);
    var object =
        Helm.objects(text).stream()
            .filter(o ->
                parts[0].equals(o.getKind())
                    || parts[0].equals(o.getKind() + ":" + o.getMetadata().getName()))
            .findFirst();
    if (parts[1].equals("none")) {
      assertThat(object).as(fact).isEmpty();
      return;
    }
    assertThat(object).as(fact).isPresent();
    JsonNode tree = new ObjectMapper().valueToTree(object.get());
    var found = tree.at(parts[1]);
    assertThat(found.isContainerNode() ? found.toString() : found.asText())
        .as(fact)
        .isEqualTo(parts.length > 2 ? parts[2] : "");
  }
}
