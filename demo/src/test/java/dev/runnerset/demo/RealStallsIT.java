package dev.runnerset.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.testcluster.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What stalls a set, on a real control plane: each cause on a set that is made under it, and on one
 * that has run jobs. The set says so by a condition, an event and a metric within 30 s, or what the
 * row allows, and is well again within as much of the repair, its jobs done, untouched. Writes the
 * table to {@code target/stalls.md}, and with {@code -Drunnerset.write=true} to docs/stalls.md.
 */
final class RealStallsIT {
  private static final int LONGEST = 150;

  /** Causes by which no pod is made: what is registered then must wait for its pod, not go. */
  private static final Set<String> PODS_REFUSED =
      Set.of(
          "quota",
          "pod-webhook",
          "service-account",
          "priority-class",
          "pod-security",
          "admission-policy");

  /** As many as the jobs of a cause want. */
  private static final int RUNNERS = 3;

  @BeforeAll
  static void needsTheRealServer() {
    TestCluster.unavailableReason().ifPresent(Assumptions::abort);
  }

  @Test
  @Tag("nightly")
  void setsTellWhatStallsThemAndGoOnAfterTheRepair(@TempDir Path folder) throws IOException {
    var found = play(folder, 1);
    write(found);
    assertThat(found.stalls()).as("rows").hasSizeGreaterThan(50);
    check(found);
  }

  /** A share for each change; all causes come each night. */
  @Test
  void everySixthCauseIsToldAndHeals(@TempDir Path folder) throws IOException {
    var found = play(folder, 6);
    assertThat(found.stalls()).as("rows").hasSizeGreaterThan(8);
    check(found);
  }

  private static void check(Findings.Stalls found) {
    var failures = new ArrayList<String>();
    found.stalls().forEach(row -> failures.addAll(failures(row)));
    assertThat(failures).isEmpty();
    assertThat(found.bystanderTroubles()).as("troubles of a set that nothing was done to").isZero();
    assertThat(found.jobsLeft()).as("jobs that were not done").isZero();
    assertThat(found.jobsLost()).as("jobs that were lost").isZero();
    assertThat(found.violations()).as("violations at the services").isZero();
    assertThat(found.setsLeft()).as("sets that could not be deleted").isZero();
  }

  private static Findings.Stalls play(Path folder, int every) throws IOException {
    var progress = Rehearsals.progress();
    try (var cluster = new RealCluster(Scenario.STALLS, folder);
        var world = Rehearsals.world(cluster, Scenario.STALLS, folder, progress)) {
      var script = new StallsScript(world, progress);
      return script.run(share(Stall.Trait.NEW, every), share(Stall.Trait.WARM, every));
    }
  }

  private static List<Stall> share(Stall.Trait where, int every) {
    var all = Stalls.all(where);
    return IntStream.range(0, all.size()).filter(i -> i % every == 0).mapToObj(all::get).toList();
  }

  private static List<String> failures(Findings.Told row) {
    var failures = new ArrayList<String>();
    if (isLate(row.delays().toldSeconds(), row)) {
      failures.add(
          row.set() + ": told after " + row.delays().toldSeconds() + " s; it says " + row.said());
    }
    if (row.delays().eventSeconds() == null) {
      failures.add(row.set() + ": no event tells of it");
    }
    if (row.delays().metricSeconds() == null) {
      failures.add(row.set() + ": no series has its reason");
    }
    if (isLate(row.delays().healedSeconds(), row)) {
      failures.add(
          row.set() + ": well after " + row.delays().healedSeconds() + " s; it says " + row.left());
    }
    if (PODS_REFUSED.contains(stall(row)) && row.registrations() > most(row)) {
      failures.add(row.set() + ": registered " + row.registrations() + " runners for nothing");
    }
    if (row.touched()) {
      failures.add(row.set() + ": somebody changed the set");
    }
    return failures;
  }

  /** A refusal for good (422) fails a runner: two waves more may begin before the set knows it. */
  private static int most(Findings.Told row) {
    return stall(row).equals("admission-policy") ? 3 * RUNNERS : RUNNERS;
  }

  private static String stall(Findings.Told row) {
    return row.set().replaceFirst("-(new|warm)$", "");
  }

  private static boolean isLate(@Nullable Double seconds, Findings.Told row) {
    return seconds == null || seconds > row.delays().barSeconds();
  }

  private static void write(Findings.Stalls found) throws IOException {
    var table = new StringBuilder();
    for (var stall : Stalls.all()) {
      var made = row(found, stall.id() + "-new");
      var warm = row(found, stall.id() + "-warm");
      var said = warm.or(() -> made).map(Findings.Told::said).orElse("");
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
      Files.writeString(RepositoryFiles.ROOT.resolve("docs/stalls.md"), page);
    }
  }

  private static Optional<Findings.Told> row(Findings.Stalls found, String set) {
    return found.stalls().stream().filter(row -> row.set().equals(set)).findFirst();
  }

  private static String seconds(Findings.Told row) {
    return number(row.delays().toldSeconds()) + " / " + number(row.delays().healedSeconds());
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
      (new) and on one that had run jobs and had ended its first rollout (warm); all at a time on two cores. The numbers
      are seconds, as whole ones: from the cause to a condition of the set that names it, and from the repair to a set
      that is well, and stays so until the jobs that had waited are done. Nobody touched the set between. `RealStallsIT`
      measures this, and fails above 30 s, without an event of the set, or without its series of
      `runnerset_set_condition`. Six rows may take longer: `role-missing` 45 s, since lists are tried again by backoff; `exit-zero` 60 s, since a completion may still come for 30 s;
      `poll-hangs` 80 s, since a poll is answered within 50 s and doubted after 70 s; `service-hangs` 50 s, since a call
      that was sent before the repair hangs on for its 20 s; `stuck-creating` and `never-registers` 45 s, since a start may
      take 25 s and a registration 20 s before anything is wrong, counted from the pod and its container. With
      `-Drunnerset.write=true` the test writes this page. A part of the causes is tried by `./runnerset demo --scenario
      stalls`, on any API server.

      What to do about a reason stands in [conditions.md](conditions.md).

      | cause | new: told / healed | warm: told / healed | what the set says |
      |---|---|---|---|
      %s
      """;
}
