package dev.runnerset.controller.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.autoscalingrunnerset.Sets;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetSpec;
import dev.runnerset.crds.EphemeralRunnerSetStatusBuilder;
import dev.runnerset.crds.NameReference;
import dev.runnerset.crds.StoredTemplate;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One number bounds the jobs that are taken and the runners that are made (DM5, DM6, DM12). */
class CapacityPlanTest {
  private static EphemeralRunnerSet runners(
      int assigned, int available, int min, int max, @Nullable Integer places) {
    var ers = new EphemeralRunnerSet();
    ers.setSpec(
        EphemeralRunnerSetSpec.builder(
                "https://github.com/o",
                new NameReference("github"),
                1,
                "r",
                StoredTemplate.of(new PodTemplateSpec()))
            .replicas(min)
            .maxRunners(max)
            .places(places)
            .build());
    var demand = new Demand(1, 7, Instant.EPOCH, assigned, 0, 0, 0, 0, available, 1, null);
    ers.setStatus(EphemeralRunnerSetStatusBuilder.builder().demand(demand).build());
    return ers;
  }

  private static RunnerPlaces places(
      @Nullable Integer quota, @Nullable Integer starts, boolean shadow) {
    var limits =
        Stream.of(
                quota == null
                    ? null
                    : new CapacityLimit(quota, LimitedBy.QUOTA, "few: pods", "quota few is full"),
                starts == null
                    ? null
                    : new CapacityLimit(starts, LimitedBy.STARTS_PER_MINUTE, "", "no starts"))
            .filter(limit -> limit != null)
            .toList();
    var least = limits.stream().mapToInt(CapacityLimit::places).min();
    return new RunnerPlaces(
        List.copyOf(limits),
        least.isEmpty() ? null : least.getAsInt(),
        null,
        false,
        shadow,
        null,
        RequeueTime.NEVER);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        // assigned, waiting, minRunners, maxRunners, places by quota, by starts, shadow: number,
        // desired, limit
        "DM6 no limit                              | 0  | 0  | 0  | 50 |    |   | | 50 | 0  |",
        "DM6 room for fewer than maxRunners        | 0  | 0  | 0  | 50 | 20 |   | | 20 | 0  |",
        "DM6 a job waits for room                  | 20 | 80 | 0  | 50 | 20 |   | | 20 | 20 | QUOTA",
        "DM6 all is taken, and no job waits        | 20 | 0  | 0  | 50 | 20 |   | | 20 | 20 |",
        "DM6 what is assigned stays                | 25 | 0  | 0  | 50 | 20 |   | | 25 | 25 | QUOTA",
        "DM6 what is assigned does not lift maxRunners | 60 | 0 | 0 | 50 | 20 | | | 50 | 50 | QUOTA",
        "DM6 the fewest places of two limits       | 3  | 1  | 0  | 50 | 20 | 3 | | 3  | 3  | STARTS_PER_MINUTE",
        "DM6 of equal ones the first               | 3  | 1  | 0  | 50 | 3  | 3 | | 3  | 3  | QUOTA",
        "DM6 no room at all                        | 0  | 0  | 0  | 50 | 0  |   | | 0  | 0  | QUOTA",
        "DM5 warm runners fill the quota           | 0  | 0  | 20 | 50 | 20 |   | | 20 | 20 |",
        "DM5 no warm runner beyond the quota       | 0  | 0  | 30 | 50 | 20 |   | | 20 | 20 |",
        "DM5 a job takes the place of a warm one   | 5  | 0  | 20 | 50 | 20 |   | | 20 | 20 |",
        "DM5 no warm runner beside too many jobs   | 25 | 0  | 20 | 50 | 20 |   | | 25 | 25 | QUOTA",
        "DM12 Shadow withholds nothing             | 20 | 80 | 0  | 50 | 20 |   | x | 50 | 20 |",
        "DM12 Shadow bounds no warm runner         | 0  | 0  | 30 | 50 | 20 |   | x | 50 | 30 |",
      })
  void theNumberIsTheLeastOfTheTermsButNeverLessThanWhatIsAssigned(
      String rule,
      int assigned,
      int waiting,
      int min,
      int max,
      @Nullable Integer quota,
      @Nullable Integer starts,
      @Nullable String shadow,
      int number,
      int desired,
      @Nullable LimitedBy limitedBy) {
    AutoScalingRunnerSet set = Sets.set("linux");
    var places = places(quota, starts, shadow != null);
    var runners = runners(assigned, waiting, min, max, places.enforced());
    var plan = CapacityPlan.of(set, max, places, runners);
    assertThat(plan.advertised()).isEqualTo(number);
    assertThat(plan.limitedBy()).isEqualTo(limitedBy);
    assertThat(DesiredRunners.of(runners)).isEqualTo(desired);
  }
}
