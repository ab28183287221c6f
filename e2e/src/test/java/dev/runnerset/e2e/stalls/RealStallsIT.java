package dev.runnerset.e2e.stalls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.e2e.Play;
import dev.runnerset.e2e.RepositoryFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.assertj.core.api.ThrowingConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What stalls a set, on a real control plane: each cause on a set that is made under it, and on one
 * that has run jobs. The set says so by a condition, an event and a metric within 30 s, or what the
 * row allows, and is well again within as much of the repair, its jobs done, untouched. Writes the
 * table to {@code target/stalls.md}, and with {@code -Drunnerset.write=true} to
 * docs/develop/stalls.md.
 */
final class RealStallsIT {
  private static final int LONGEST = 150;

  @TempDir Path folder;

  @Test
  @Tag("nightly")
  void setsTellWhatStallsThemAndGoOnAfterTheRepair() throws IOException {
    play(
        1,
        found -> {
          write(found.rows());
          assertThat(found.rows()).as("rows").hasSizeGreaterThan(50);
        });
  }

  /** A share for each change; all causes come each night. */
  @Test
  void everySixthCauseIsReportedAndHeals() throws IOException {
    play(6, found -> assertThat(found.rows()).as("rows").hasSizeGreaterThan(8));
  }

  private void play(int every, ThrowingConsumer<StallsScript.Found> note) throws IOException {
    Play.run(
        Play.realCluster(folder),
        Play.SETTING,
        folder,
        (world, progress) -> {
          var found =
              new StallsScript(world, progress)
                  .run(share(Stall.Trait.NEW, every), share(Stall.Trait.WARM, every));
          note.accept(found);
          found.check();
        });
  }

  private static List<Stall> share(Stall.Trait where, int every) {
    return StallsScript.every(every, 0, Stalls.all(where));
  }

  private static void write(List<StallResult> found) throws IOException {
    var table = new StringBuilder();
    for (var stall : Stalls.all()) {
      var made = row(found, stall.id() + "-new");
      var warm = row(found, stall.id() + "-warm");
      var said = warm.or(() -> made).map(row -> row.said().condition()).orElse("");
      table.append(
          "| %s | %s | %s | %s |%n"
              .formatted(
                  stall.id(),
                  made.map(RealStallsIT::seconds).orElse(""),
                  warm.map(RealStallsIT::seconds).orElse(""),
                  shortened(said)));
    }
    var page = PAGE.formatted(table.toString().strip());
    Files.createDirectories(Path.of("target"));
    Files.writeString(Path.of("target/stalls.md"), page);
    if (Boolean.getBoolean("runnerset.write")) {
      Files.writeString(RepositoryFiles.ROOT.resolve("docs/develop/stalls.md"), page);
    }
  }

  private static Optional<StallResult> row(List<StallResult> found, String set) {
    return found.stream().filter(row -> row.set().equals(set)).findFirst();
  }

  private static String seconds(StallResult row) {
    return number(row.seconds().reported()) + " / " + number(row.seconds().healed());
  }

  private static String number(@Nullable Double seconds) {
    return seconds == null ? "never" : String.format(Locale.ROOT, "%.0f", seconds);
  }

  private static String shortened(String said) {
    var line = said.replace("|", "\\|").replaceAll("\\s+", " ");
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + " …";
  }

  private static final String PAGE =
      """
      # What a set says when it stalls

      Each cause was tried on a kube-apiserver with etcd and kube-controller-manager, on a set that was made under it
      (new) and on one that had run jobs and had ended its first rollout (warm); half of them at a time on two cores. The numbers
      are seconds, as whole ones: from the cause to a condition of the set that names it, and from the repair to a set
      that is well, and stays so until the jobs that had waited are done. Nobody touched the set between. `RealStallsIT`
      measures this, and fails above 30 s, without an event of the set, or without its series of
      `runnerset_set_condition`. Seven rows may take longer: `role-missing` 45 s, since lists are tried again by backoff; `exit-zero` 60 s, since a completion may still come for 30 s;
      `poll-hangs` 80 s, since a poll is answered within 50 s and doubted after 70 s; `service-hangs` 50 s, since a call
      that was sent before the repair hangs on for its 20 s; `stuck-creating` and `never-registers` 45 s, since a start may
      take 25 s and a registration 20 s before anything is wrong, counted from the pod and its container;
      `priority-class` 45 s, since a refused template is tried again after 20 s. With
      `-Drunnerset.write=true` the test writes this page. `EmbeddedStallsIT`
      tries a part of the causes on the in-process API server.

      [Conditions and reasons](../reference/conditions.md) has what to do about a reason.

      | cause | new: reported / healed | warm: reported / healed | what the set says |
      |---|---|---|---|
      %s
      """;
}
