package dev.runnerset.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.cli.text.Screen;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** 42.1: {@code kubectl runnerset status} and the commands that list. */
final class StatusIT {
  private static Fleet fleet;

  @BeforeAll
  static void start() {
    fleet =
        new Fleet()
            .set(
                "ci",
                "linux",
                "maxRunners: 20",
                "{conditions: [{type: Ready, status: \"True\", reason: Ready, message: fine}],"
                    + " runners: {desired: 5, live: 5, pending: 1, idle: 1, busy: 3},"
                    + " jobs: {assigned: 4, running: 3, waiting: 1, waitingSince: \"2026-11-29T11:55:30Z\"}, capacity: {advertised: 20}}")
            .set(
                "ci",
                "gpu",
                "maxRunners: 4",
                "{conditions: [{type: Ready, status: \"False\", reason: SecretNotFound,"
                    + " message: \"create the secret github in the namespace ci\"}]}")
            .runner(
                "ci", "linux", "linux-a", "{phase: Running, idleSince: \"2026-11-29T11:59:00Z\"}")
            .runner(
                "ci",
                "linux",
                "linux-b",
                "{phase: Running, jobId: j, job: {displayName: build, repository: my-org/app,"
                    + " workflowRunId: 12, startedAt: \"2026-11-29T11:55:00Z\"}}");
  }

  @AfterAll
  static void stop() {
    fleet.close();
  }

  @Test
  void whatHurtsMostComesFirstWithOneSentence() {
    var shown = Terminal.of(fleet.config()).run("status");
    assertThat(shown.err()).isEmpty();
    assertThat(shown.exitCode()).isZero();
    assertThat(shown.out().lines().map(line -> line.replaceAll(" +", " ")))
        .containsExactly(
            "NAMESPACE SET STATE DESIRED STARTING IDLE BUSY WAITING FOR",
            "ci gpu SecretNotFound 0 0 0 0 0",
            " create the secret github in the namespace ci",
            "ci linux Ready 5 1 1 3 1 4m");
  }

  @Test
  void aSetThatIsNotThereIsNamedWithTheNearest() {
    var shown = Terminal.of(fleet.config()).run("status", "linus");
    assertThat(shown.exitCode()).isEqualTo(3);
    assertThat(shown.err().strip())
        .isEqualTo("There is no set 'linus' in the namespace ci: did you mean linux?");
  }

  @Test
  void runnersAndJobsAreShownWithTheirPages() {
    var runners = Terminal.of(fleet.config()).run("runners", "linux", "-o", "name");
    assertThat(runners.out().lines()).containsExactly("linux-a", "linux-b");
    var jobs = Terminal.of(fleet.config()).run("jobs", "-o", "json");
    assertThat(jobs.out()).contains("https://github.com/my-org/app/actions/runs/12");
  }

  @Test
  void wideHasEveryColumnAlsoInANarrowTerminal() {
    var narrow = new Screen(40, true, false);
    var title = "NAMESPACE SET STATE DESIRED STARTING IDLE BUSY WAITING FOR TAKES LIMIT";
    assertThat(titles(Terminal.of(fleet.config()).with(narrow).run("status", "-o", "wide")))
        .isEqualTo(title);
    assertThat(titles(Terminal.of(fleet.config()).with(narrow).run("status"))).isNotEqualTo(title);
  }

  @Test
  void watchShowsTheSetsAgainUntilThePipeIsClosed() {
    var terminal = Terminal.of(fleet.config());
    var pauses = new ArrayList<Duration>();
    terminal.meanwhile(time -> {
      pauses.add(time);
      if (pauses.size() == 2) {
        terminal.close();
      }
    });
    var shown = terminal.run("status", "--watch");
    assertThat(pauses).containsExactly(Duration.ofSeconds(2), Duration.ofSeconds(2));
    assertThat(shown.out().lines().filter(line -> line.contains("STATE"))).hasSize(3);
  }

  private static String titles(Terminal.Outcome shown) {
    return shown.out().lines().findFirst().orElseThrow().replaceAll(" +", " ");
  }
}
