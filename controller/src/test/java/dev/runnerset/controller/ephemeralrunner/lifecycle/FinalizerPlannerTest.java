package dev.runnerset.controller.ephemeralrunner.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FinalizerPlannerTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          never started: ask by name | | ask
          idle | running | ask
          removal remembered: no call | running registrationGone | go
          forced, though busy | forced busy running | ask go
          forced, removal remembered | forced running registrationGone | go
          busy and running, though a removal is remembered (I1) | busy running registrationGone | job again+300000
          removal remembered, of a start in doubt | registrationGone | ask
          a pod that runs another registration than was removed | running registeredAs8 registrationGone FAILED | ask
          all of it removed | uncertain leftItsRegistration | go
          exit 0 and completion heard: no call | done5 exited0@-1 | go
          the same, pod gone | done5 exitKnown0@-1 | go
          exit 1 and completion heard | done5 exited1@-1 | ask
          busy and running: wait | busy running | job again+300000
          busy, starting | busy waiting@-1 | job again+300000
          completion heard, still running | done5 running | ask
          busy, ended, 29 s | busy exited0@-29 | again+1000
          busy, ended, 30 s | busy exited0@-30 | ask
          busy, ended just now, dated 40 s ago by its node | busy datedByItsNode0@-40 | again+30000
          busy, just ended, its set is gone | busy set=none exited0@0 | again+500
          busy, ended, its set is gone, 1 s | busy set=none exited0@-1 | ask
          busy, just ended, its set goes | setDeleted busy exited0@0 | again+500
          busy, ended, its set goes, 1 s | setDeleted busy exited0@-1 | ask
          busy and running, its set is gone | busy set=none running | job again+300000
          busy, ended, standalone, 5 s | standalone=runner busy exited0@-5 | again+25000
          busy, pod gone | busy | ask
          busy, pod evicted | busy podOver=Failed/Evicted | ask
          refused | running suspect200 | job again+200000
          refused for long: looks every 5 min | running suspect900 | job again+300000
          refusal over | running suspect0 | ask
          refused before its end (SD5) | exited1@-40 suspect200 | ask
          refused after its end: asked once more, 30 s later | exited1@-40 suspect300 answered30 | job again+30000
          30 s later | exited1@-70 suspect270 | ask
          refused twice (I3) | exited1@-70 suspect600 refusals2 | job again+300000
          refused before its pod went, and nobody saw how it ended (SD5) | RUNNING suspect200 | ask
          refused after its pod went (SD5) | RUNNING suspect300 answered30 | job again+30000
          refused twice after its pod went (I3) | RUNNING suspect600 refusals2 | job again+300000
          refused before a completion (SD5) | RUNNING done5 suspect300 refused30 | ask
          refused twice before a completion (SD5) | RUNNING done5 suspect600 refusals2 refused30 | ask
          refused after a completion (SD5) | RUNNING done5 suspect600 refusals2 refusedAfterJob30 | job again+30000
          refused three times, the last time after a completion (I3) | RUNNING done5 suspect900 refusals3 refusedAfterJob-1 | job again+300000
          failed before | failing1@-1 | again+1000
          failed twice | failing1@-9 failing1@-1 | again+3000
          no credentials for 59 s | credentialsLost-59 | ask
          no credentials for 60 s | credentialsLost-60 | give-up
          no credentials, but its container runs (I1) | running credentialsLost-6000 | ask
          no credentials, but its container may start | waiting=ImagePullBackOff@-60 credentialsLost-60 | ask
          no credentials, its container has ended | exited1@-1 credentialsLost-60 | give-up
          no credentials, but a job | busy running credentialsLost-60 | job again+300000
          """)
  void decides(String rule, @Nullable String given, String expected) {
    var observed = RunnerSituation.of(given).and("terminating").observed();
    var decision = RunnerLifecycle.decide(observed);
    boolean noted = decision.actions().stream().anyMatch(RunnerAction.NoteExit.class::isInstance);
    assertThat(noted).isEqualTo(observed.seenExit() != null);
    assertThat(RunnerSituation.words(decision).replaceFirst("^exit\\d+ ", "")).isEqualTo(expected);
  }
}
