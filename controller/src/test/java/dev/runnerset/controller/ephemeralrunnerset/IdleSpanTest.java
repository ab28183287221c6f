package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.removal.Runners.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.removal.RunnersOfSet.Change;
import dev.runnerset.crds.EphemeralRunner;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which seconds of a runner count as idle, and that each second counts once. */
final class IdleSpanTest {
  /** A runner in words, with seconds from {@link Runners#T0}, as {@code started5 job9 ended20}. */
  private static @Nullable RunnerView view(String words) {
    if (words.equals("none")) {
      return null;
    }
    var runner = words.contains("job") ? Runners.busy("a") : Runners.idle("a");
    var timeline = new StringBuilder();
    for (var word : words.split(" ")) {
      var name = word.replaceAll("\\d", "");
      var digits = word.replaceAll("\\D", "");
      if (!digits.isEmpty()) {
        var at = T0.plusSeconds(Long.parseLong(digits));
        timeline.append(name.equals("job") ? "jobStarted" : name).append(": '" + at + "', ");
        if (name.equals("finished")) {
          runner.endedAt(at);
        }
      }
    }
    var yaml = "---\nstatus: {timeline: {%s}}".formatted(timeline);
    return runner.resource(Serialization.unmarshal(yaml, EphemeralRunner.class)).view();
  }

  @ParameterizedTest(name = "{0} -> {1}: {2}")
  @CsvSource({
    "none,               pending,                   ",
    "pending,            started5,                  ",
    "started5,           started5 job9,             4",
    "none,               started5 job9,             4",
    "pending,            started5 job9 finished20,  4",
    "started5 job9,      started5 job9 finished20,  ",
    "started5 job9,      none,                      ",
    "started5,           started5 finished20,       15",
    "started5,           none,                      95",
    "started5 finished8, none,                      ",
    "pending,            none,                      ",
    "pending,            finished8,                 ",
    "started5,           started5 job,              ",
    "started5 job,       started5 job9,             4",
    "started5 job,       none,                      ",
    "started5 job,       started5 job finished20,   ",
  })
  void aSecondOfARunnerWithoutAJobCountsOnce(String before, String after, @Nullable Long seconds) {
    var span = IdleSpan.endedBy(new Change(view(before), view(after)), T0.plusSeconds(100));
    assertThat(span == null ? null : Duration.between(span.from(), span.until()).toSeconds())
        .isEqualTo(seconds);
  }
}
