package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.config.EmbeddedStatus.FULL;
import static dev.runnerset.controller.config.EmbeddedStatus.MINIMAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.ephemeralrunnerset.ReferencesCost.Cost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** RF2, measured: fewer parent writes and smaller objects. */
class ReferencesCostIT {
  private static final String BEGIN = "<!-- measured by ReferencesCostIT -->\n";
  private static final String END = "<!-- end -->\n";

  private final ReferencesCost cost = new ReferencesCost();

  @AfterEach
  void close() {
    cost.close();
  }

  @Test
  void changesOfChildrenCostTheParentNothingInTheMinimalForm() {
    var calm = cost.of(MINIMAL, 10, 0);
    var busy = cost.of(MINIMAL, 10, 50);
    assertThat(busy.changes()).isEqualTo(calm.changes() + 500);
    assertThat(busy.parentWrites()).isEqualTo(calm.parentWrites());
    assertThat(busy.storedBytes()).isEqualTo(calm.storedBytes());

    var calmFull = cost.of(FULL, 10, 0);
    assertThat(cost.of(FULL, 10, 50).parentWrites())
        .as("what the minimal form is for; if this does not grow, the test sees nothing")
        .isGreaterThan(calmFull.parentWrites());
  }

  @Test
  void thePageShowsWhatIsMeasured() throws IOException {
    var table =
        new StringBuilder(
            """
            | runners | changes of each | form | changes of runners | parent writes | largest object | stored in all |
            |---:|---:|---|---:|---:|---:|---:|
            """);
    for (int runners : new int[] {10, 100, 1000}) {
      for (int quiet : runners == 1000 ? new int[] {0} : new int[] {0, 20}) {
        var minimal = cost.of(MINIMAL, runners, quiet);
        var full = cost.of(FULL, runners, quiet);
        table
            .append(row(runners, quiet, "minimal", minimal))
            .append(row(runners, quiet, "full", full));
        // a list waits until it stands still: it may come one look later than the counts
        assertThat(minimal.parentWrites()).isLessThanOrEqualTo(full.parentWrites() + 2);
        assertThat(minimal.largestBytes() * 2).isLessThan(full.largestBytes());
        assertThat(minimal.storedBytes() * 2).isLessThan(full.storedBytes());
      }
    }
    var page = Path.of("..", "docs", "reference", "references.md");
    var text = Files.readString(page);
    int begin = text.indexOf(BEGIN) + BEGIN.length();
    int end = text.indexOf(END);
    var wanted = text.substring(0, begin) + table + text.substring(end);
    if (Boolean.getBoolean("runnerset.write")) {
      Files.writeString(page, wanted);
    }
    assertThat(Files.readString(page))
        .as("docs/reference/references.md; written again with -Drunnerset.write=true")
        .isEqualTo(wanted);
  }

  private static String row(int runners, int quiet, String form, Cost cost) {
    return "| %d | %d | %s | %d | %d | %d KiB | %d KiB |%n"
        .formatted(
            runners,
            5 + quiet,
            form,
            cost.changes(),
            cost.parentWrites(),
            Math.ceilDiv(cost.largestBytes(), 1024),
            Math.ceilDiv(cost.storedBytes(), 1024));
  }
}
