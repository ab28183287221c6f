package dev.runnerset.deployment.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every command of every page is known: it is run, or there is a reason why it is not. */
final class CommandsTest {
  record Row(String text, List<String> parts) {}

  static Stream<Row> splits() {
    return Stream.of(
        new Row("a b", List.of("a b")),
        new Row("a | b && c; d || e", List.of("a", "b", "c", "d", "e")),
        new Row("a 'b | c' \"d; e\"", List.of("a 'b | c' \"d; e\"")),
        new Row("a \\| b", List.of("a \\| b")),
        new Row("a $(b | c) | d", List.of("a $(b | c)", "d")),
        new Row("a &", List.of("a")),
        new Row("a   # why | not", List.of("a")),
        new Row("a#b", List.of("a#b")),
        new Row("a -f - <<'Y'\nb | c\nY", List.of("a -f -")),
        new Row("a \\\n  b", List.of("a \\\n  b")));
  }

  @ParameterizedTest
  @MethodSource("splits")
  void aCommandHasItsParts(Row row) {
    assertThat(SimpleCommands.of(row.text())).isEqualTo(row.parts());
  }

  @Test
  void theProgramStandsBehindAssignments() {
    assertThat(SimpleCommands.program("A=1 B='x' kubectl get")).isEqualTo("kubectl");
    assertThat(SimpleCommands.program("A=1")).isEmpty();
  }

  /** Several recipes would differ soon; the page of the other controller removes its sets, too. */
  @Test
  void onlyOnePageHasTheCommandsThatUninstallASet() throws IOException {
    assertThat(Pages.commands())
        .filteredOn(command -> command.text().startsWith("helm uninstall "))
        .filteredOn(command -> !command.text().startsWith("helm uninstall runnerset "))
        .filteredOn(command -> !command.place().startsWith("docs/start/beside-arc.md:"))
        .extracting(command -> command.place().replaceFirst(":.*", ""))
        .containsExactly("docs/start/install.md");
  }

  @Test
  void everyProgramIsKnown() throws IOException {
    var strangers = new TreeSet<String>();
    for (var command : Pages.commands()) {
      for (var simple : SimpleCommands.of(command.text())) {
        var program = SimpleCommands.program(simple);
        if (!CommandUse.HERE.contains(program)
            && !CommandUse.SHELL.contains(program)
            && !CommandUse.PROGRAMS.containsKey(program)) {
          strangers.add(command.place() + ": " + program);
        }
      }
    }
    assertThat(strangers).as("programs that CommandUse does not know").isEmpty();
  }

  @Test
  void everyReasonIsStillNeeded() throws IOException {
    var idle = new ArrayList<>(CommandUse.PROGRAMS.keySet());
    idle.addAll(CommandUse.SHELL);
    idle.addAll(CommandUse.COMMANDS.keySet());
    for (var command : Pages.commands()) {
      for (var simple : SimpleCommands.of(command.text())) {
        idle.remove(SimpleCommands.program(simple));
        idle.removeIf(simple::startsWith);
      }
    }
    assertThat(idle).as("rows of CommandUse that no command of a page needs").isEmpty();
  }

  @Test
  void everyPageThatIsWalkedHasCommandsThatRun() throws IOException {
    for (var page : CommandUse.WALKED) {
      assertThat(
              Pages.commands().stream()
                  .filter(command -> command.place().startsWith(page + ":"))
                  .filter(command -> CommandUse.reasonNotToRun(command).isEmpty()))
          .as(page)
          .isNotEmpty();
    }
  }
}
