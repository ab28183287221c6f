package dev.runnerset.controller.features.rerun;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.MergePatch;
import dev.runnerset.kube.Resource;
import dev.runnerset.testsupport.TestClock;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * RR3 to RR6 second by second: when the run of a lost job is read, and what GitHub is asked for.
 * The runner was lost at 0 s.
 */
final class RerunRoundsTest {
  /** Is not called. */
  private static final KubernetesClient CLIENT = new KubernetesClientBuilder().build();

  private final TestClock clock = new TestClock(PlayedRun.LOST_AT);
  private final PlayedRun run = new PlayedRun(this::second);
  private final List<String> reported = new ArrayList<>();
  private AutoScalingRunnerSet set =
      Serialization.unmarshal(
          """
          apiVersion: runnerset.dev/v1alpha1
          kind: AutoScalingRunnerSet
          metadata: {namespace: ci, name: linux, uid: uid-1}
          spec:
            githubConfigUrl: https://github.com/my-org
            githubConfigSecret: {name: github}
            rerun: {lostJobs: true}
            template: {spec: {containers: [{name: runner, image: i}]}}
          status:
            lostJobs:
              r1: {repository: my-org/app, workflowRunId: 7, cause: node_down, lostAt: "%s"}
          """
              .formatted(PlayedRun.LOST_AT),
          AutoScalingRunnerSet.class);

  private final RerunRounds rounds = rounds();

  /** The set takes every patch of its lost jobs. */
  private final class Server extends KubeApi {
    Server() {
      super(CLIENT);
    }

    @Override
    public <T extends HasMetadata> T mergeStatusBody(Class<T> kind, Resource at, JsonNode body) {
      var tree = MergePatch.tree(set);
      var kept = tree.withObject("status").withObject("lostJobs");
      body.at("/status/lostJobs")
          .properties()
          .forEach(entry -> {
            if (entry.getValue().isNull()) {
              kept.remove(entry.getKey());
            } else {
              kept.set(entry.getKey(), entry.getValue());
            }
          });
      set = Serialization.unmarshal(tree.toString(), AutoScalingRunnerSet.class);
      return kind.cast(set);
    }
  }

  private RerunRounds rounds() {
    Events events =
        new Events() {
          @Override
          public void warn(HasMetadata about, Reason reason, String message) {
            reported.add(reason.word());
          }

          @Override
          public void note(HasMetadata about, Reason reason, String subject, String message) {
            reported.add(reason.word());
          }
        };
    var reports = new RerunReports(events, Meter.series());
    var book = new RerunBook(new Server(), _ -> Optional.of(set), reports, clock);
    return new RerunRounds(
        () -> Stream.of(set),
        _ -> run.service(),
        book,
        reports,
        new Memories(),
        Runnable::run,
        clock);
  }

  private long second() {
    return Duration.between(PlayedRun.LOST_AT, clock.instant()).toSeconds();
  }

  /** The rounds until that second. */
  private void until(long second) {
    while (second() < second) {
      clock.advance(RerunRounds.PERIOD);
      rounds.round();
    }
  }

  @Test
  void rr5ARunWithASiblingOfTwoHoursIsReadAtItsPaceAndRunsAgainInTheEnd() {
    run.overAt(Duration.ofHours(2).toSeconds());
    until(Duration.ofHours(2).toSeconds());
    var reads = List.copyOf(run.reads);
    for (int i = 1; i < reads.size(); i++) {
      long before = reads.get(i - 1);
      assertThat(reads.get(i) - before)
          .as("after the reading at " + before)
          .isEqualTo(before < 60 ? 5 : before < 16 * 60 ? 30 : 120);
    }
    assertThat(reads).hasSizeBetween(90, 100);
    assertThat(run.jobLists).as("of a run that is not over").isZero();

    until(Duration.ofHours(3).toSeconds());
    assertThat(run.reruns).containsExactly("all");
    assertThat(reported).containsExactly("JobRerun");
    assertThat(set.statusOrNone().lostJobs()).isEmpty();
  }

  @ParameterizedTest(name = "over between {0} and {1} s")
  @CsvSource({"1, 59, 1, 8", "60, 900, 7, 31", "960, 7000, 331, 125"})
  void rr5HowSoonAfterItsEndARunRunsAgain(int first, int last, int step, long bound) {
    for (int over = first; over <= last; over += step) {
      var fresh = new RerunRoundsTest();
      fresh.run.overAt(over);
      fresh.until(over + bound);
      assertThat(fresh.run.reruns).as("over at " + over).containsExactly("all");
    }
  }

  /** GitHub may notice an orderly end before the settle window is over (LV3), which is 30 s. */
  @Test
  void rr5ALossThatIsWrittenDownAfterTheEndOfTheRunRunsAgainAtOnce() {
    IntStream.rangeClosed(15, 26)
        .forEach(over -> {
          var fresh = new RerunRoundsTest();
          fresh.run.overAt(over);
          fresh.clock.advance(Duration.ofSeconds(30));
          fresh.until(31);
          assertThat(fresh.run.reruns).as("over at " + over).containsExactly("all");
        });
  }

  /**
   * The run is over at 10 s, and read then. A fault is the call that it hits, and what becomes of
   * the call; the new attempt lasts a minute.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        // row | faults | sent for a rerun at | new attempts | reports
        "nothing goes wrong | | 11 | all | JobRerun",
        "RR6 a limit meets the reading | read limited | 101 | all | JobRerun",
        "RR6 a limit meets the list of jobs | list limited | 101 | all | JobRerun",
        "RR6 a limit meets the rerun | post limited | 11 101 | all | JobRerun",
        "RR6 two limits in a row | post limited, post limited | 11 101 191 | all | JobRerun",
        "RR6 the lease is in doubt | post not_sent | 11 21 | all | JobRerun",
        "RR3 the answer is lost | post lost | 11 | all | JobRerun",
        "RR3 the call is lost | post broken | 11 21 | all | JobRerun",
        "RR3 somebody else is first | post overtaken | 11 | all | JobRerun",
        "RR3 somebody else is first, with another job | failure, post overtaken_by_other | 11 | other |"
            + " RerunWithheld",
        "RR3 somebody else is first, and a limit meets the question | post overtaken, check limited | 11"
            + " | all | JobRerun",
        "RR3 that attempt is over, too | post overtaken_and_over | 11 | all | JobRerun",
        "RR4 somebody runs it again before the list of jobs | list overtaken | | all | RerunWithheld",
        "RR4 a refusal that is no limit is final | post refused | 11 | | RerunFailed",
        "RR4 so is one of the reading | read refused | | | RerunFailed",
        "RR4 the run was deleted | read gone | | | RerunWithheld",
      })
  void faults(String row, String faults, String posts, String attempts, String reports) {
    run.overAt(10);
    run.faults(faults == null ? "" : faults);
    until(600);
    assertThat(run.posts.stream().map(Object::toString)).as(row).isEqualTo(words(posts));
    assertThat(run.reruns).as(row).isEqualTo(words(attempts));
    assertThat(reported).as(row).isEqualTo(words(reports));
    assertThat(set.statusOrNone().lostJobs()).as(row).isEmpty();
  }

  private static List<String> words(String text) {
    return text == null ? List.of() : List.of(text.split(" "));
  }
}
