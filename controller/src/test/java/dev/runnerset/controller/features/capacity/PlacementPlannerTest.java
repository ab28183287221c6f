package dev.runnerset.controller.features.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.features.capacity.PlacementFacts.Deadlines;
import dev.runnerset.controller.features.capacity.PlacementFacts.Failing;
import dev.runnerset.controller.features.capacity.PlacementFacts.Runner;
import dev.runnerset.controller.features.capacity.PlacementFacts.Stage;
import dev.runnerset.controller.scaling.CapacityLimit;
import dev.runnerset.controller.scaling.LimitedBy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What runners show about further places, and what follows from it (DM15). */
class PlacementPlannerTest {
  private static final Instant T = Instant.parse("2026-11-28T10:00:00Z");
  private static final int MAX = 16;
  private static final String WORDS = "0/3 nodes are available: 3 Insufficient cpu.";

  /** A set whose runners change; each step is one look. */
  private static final class Played {
    private final Map<String, Runner> runners = new LinkedHashMap<>();
    private Placement placement = Placement.NONE;
    private boolean fixed;
    private @Nullable Failing failing;
    private String revision = "r1";
    private Optional<CapacityLimit> limit = Optional.empty();

    /** As {@code 30 fixed a=run b=no}: at 30 s a runs, and the scheduler has no place for b. */
    void step(String step) {
      var words = step.trim().split(" +");
      var now = T.plusSeconds(Long.parseLong(words[0]));
      for (int i = 1; i < words.length; i++) {
        change(words[i], now);
      }
      var facts =
          new PlacementFacts(
              revision,
              MAX,
              List.copyOf(runners.values()),
              fixed,
              failing,
              new Deadlines(Duration.ofMinutes(10), Duration.ofMinutes(5)),
              now);
      var plan = PlacementPlanner.plan(placement, facts);
      placement = plan.next();
      limit = plan.limit();
    }

    private void change(String word, Instant now) {
      var parts = word.split("=", 2);
      switch (parts[0]) {
        case "fixed" -> fixed = true;
        case "failing" -> failing = new Failing("2 runners failed", now);
        case "healed" -> failing = null;
        case "revision" -> revision = parts[1];
        case "restart" -> placement = Placement.restored(placement.stored());
        default -> runner(parts[0], parts[1], now);
      }
    }

    private void runner(String name, String state, Instant now) {
      if (state.equals("gone")) {
        runners.remove(name);
        return;
      }
      var known = runners.get(name);
      var events = new ArrayList<PodEvent>(known == null ? List.of() : known.events());
      var stage =
          switch (state) {
            case "run" -> new Stage.Ran(now);
            case "wait" -> new Stage.Unplaced(null);
            case "image" -> new Stage.Placed(now, "ImagePullBackOff", "not found");
            case "pull" -> new Stage.Placed(now, "ContainerCreating", "");
            default -> new Stage.Unplaced(WORDS);
          };
      switch (state) {
        case "ca-no" -> events.add(event("cluster-autoscaler", "NotTriggerScaleUp", now));
        case "ca-yes" -> events.add(event("cluster-autoscaler", "TriggeredScaleUp", now));
        case "karpenter-no" -> events.add(event("karpenter", "FailedScheduling", now));
        case "karpenter-yes" -> events.add(event("karpenter", "Nominated", now));
        case "scheduler-no" -> events.add(event("default-scheduler", "FailedScheduling", now));
        case "pull" -> events.add(event("kubelet", "FailedMount", now));
        default -> {}
      }
      var created = known == null ? now : known.created();
      runners.put(name, new Runner(name, name, created, stage, events));
    }

    private static PodEvent event(String component, String reason, Instant at) {
      return new PodEvent(component, reason, "no node fits", at);
    }
  }

  private static Played after(String steps) {
    var played = new Played();
    for (var step : steps.split(";")) {
      played.step(step);
    }
    return played;
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        // looks, each at a second: places, by what, who said it
        "nothing waits                                | 0 a=run                             |    |  |",
        "a runner that waits is no signal             | 0 a=run b=wait                      |    |  |",
        // (a) the refusal of an autoscaler
        "cluster-autoscaler refuses                   | 0 a=run b=ca-no                     | 2  | UNSCHEDULABLE | cluster-autoscaler",
        "karpenter refuses                            | 0 a=run b=karpenter-no              | 2  | UNSCHEDULABLE | karpenter",
        "the scheduler uses karpenter's word          | 0 a=run b=scheduler-no              |    |  |",
        "a promise after the refusal                  | 0 b=ca-no a=run;9 b=ca-yes          | 2  | UNSCHEDULABLE | cluster-autoscaler",
        "a promise before any refusal was seen        | 0 a=run b=ca-yes                    |    |  |",
        "a refusal in the second of the promise       | 0 a=run b=ca-yes;0 b=ca-no          |    |  |",
        "a refusal a second after the promise         | 0 a=run b=ca-yes;1 b=ca-no          | 2  | UNSCHEDULABLE | cluster-autoscaler",
        "karpenter nominated a node before            | 0 a=run b=karpenter-yes;0 b=karpenter-no |  |  |",
        "the refusal of a pod that was placed since   | 0 a=run b=wait;5 b=ca-no;6 b=run    | 4  | UNSCHEDULABLE | cluster-autoscaler",
        // (b) the scheduler
        "the scheduler has no place                   | 0 a=run b=no                        |    |  |",
        "the same where nodes are fixed               | 0 fixed a=run b=no                  | 2  | UNSCHEDULABLE | scheduler",
        "fixed nodes, and the scheduler did not speak | 0 fixed a=run b=wait                |    |  |",
        // (c) a pod that is placed and does not start
        "an image that cannot be pulled, at once      | 0 a=run b=image;9                   |    |  |",
        "the same for ten seconds                     | 0 a=run b=image;10                  | 2  | NOT_STARTING | ImagePullBackOff",
        "a volume that cannot be mounted              | 0 a=run b=pull;10                   | 2  | NOT_STARTING | FailedMount",
        "what was said of a volume long ago           | 0 a=run b=pull;190                  |    |  |",
        // (d) starts that fail
        "runners that fail: the backoff paces them    | 0 a=run failing                     | 2  | FAILING |",
        "the autoscaler is named before failures      | 0 a=run b=ca-no failing             | 2  | UNSCHEDULABLE | cluster-autoscaler",
        "runners that found no place fail in the end  | 0 a=run b=ca-no;600 b=gone failing  | 2  | UNSCHEDULABLE | cluster-autoscaler",
        // one probe
        "many wait: they are one probe                | 0 fixed a=run b=no c=no d=no        | 2  | UNSCHEDULABLE | scheduler",
        "the signal outlives the pod; no probe yet    | 0 fixed a=run b=no;30 b=gone        | 1  | UNSCHEDULABLE | scheduler",
        "the window is over                           | 0 fixed a=run b=no;30 b=gone;600    | 2  | UNSCHEDULABLE | scheduler",
        "the next window begins with the next runner  | 0 fixed a=run b=no;30 b=gone;600 c=no;700 c=gone;1199 | 1 | UNSCHEDULABLE | scheduler",
        "and ends like the first                      | 0 fixed a=run b=no;30 b=gone;600 c=no;700 c=gone;1200 | 2 | UNSCHEDULABLE | scheduler",
        "a start has another deadline                 | 0 a=run b=image;10;20 b=gone;299    | 1  | NOT_STARTING | ImagePullBackOff",
        "which is over sooner                         | 0 a=run b=image;10;20 b=gone;300    | 2  | NOT_STARTING | ImagePullBackOff",
        // only a container that ran lifts it
        "a place that is free again for a moment      | 0 fixed a=run b=run c=no;4;5 b=gone | 3  | UNSCHEDULABLE | scheduler",
        "and is taken by others                       | 0 fixed a=run b=run c=no;4;5 b=gone;11 | 2 | UNSCHEDULABLE | scheduler",
        "the scheduler's word goes, nothing ran       | 0 fixed a=run b=no;5 b=wait         | 2  | UNSCHEDULABLE | scheduler",
        "the runner that waited runs                  | 0 fixed a=run b=no;5 b=run          | 4  | UNSCHEDULABLE | scheduler",
        "one runs, and another still has no place     | 0 fixed a=run b=no c=no;5 b=run     | 3  | UNSCHEDULABLE | scheduler",
        "then that one goes: nothing ran since        | 0 fixed a=run b=no c=no;5 b=run;9 c=gone | 2 | UNSCHEDULABLE | scheduler",
        "the backoff's probe ran and failed           | 0 a=run failing;5 b=run;8 b=gone failing;20 healed | 2 | FAILING |",
        "the probe ran and got a job                  | 0 a=run failing;5 b=run;8 healed    | 4  | FAILING |",
        // then the rise doubles
        "a further one runs: the room doubles         | 0 fixed a=run b=no;5 b=run;6 c=run  | 7  | UNSCHEDULABLE | scheduler",
        "nothing runs: the room stays                 | 0 fixed a=run b=no;5 b=run;6 c=wait | 4  | UNSCHEDULABLE | scheduler",
        "room for all: no limit                       | 0 fixed a=run b=no;5 b=run;6 c=run;7 d=run;8 e=run |  |  |",
        "a signal during the rise                     | 0 fixed a=run b=no;5 b=run;6 c=no   | 3  | UNSCHEDULABLE | scheduler",
        "nobody asks for a window: forgotten          | 0 fixed a=run b=no;5 b=run;605      |    |  |",
        // another revision, another process
        "a new revision is tried at once              | 0 a=run b=image;10;11 b=wait revision=r2 |  |  |",
        "a restart keeps the signal                   | 0 fixed a=run b=no;30 b=gone;60 restart | 1 | UNSCHEDULABLE | scheduler",
        "and the window                               | 0 fixed a=run b=no;30 b=gone;600 restart | 2 | UNSCHEDULABLE | scheduler",
        "one ran while no process saw it              | 0 fixed a=run b=no;30 b=run restart | 4  | UNSCHEDULABLE | scheduler",
        "one that runs for long lifts nothing         | 0 fixed a=run b=no;30 b=gone restart;31 | 1 | UNSCHEDULABLE | scheduler",
        "a restart keeps the rise                     | 0 fixed a=run b=no;5 b=run;6 restart | 4 | UNSCHEDULABLE | scheduler",
        "a clock that is set back                     | 0 fixed a=run b=no;30 b=gone;-600   | 1  | UNSCHEDULABLE | scheduler",
        "and one that runs then                       | 0 fixed a=run b=no;30 b=gone;-600;-590 c=run | 4 | UNSCHEDULABLE | scheduler",
      })
  void runnersShowWhetherThereAreMorePlaces(
      String rule, String looks, Integer places, LimitedBy by, String of) {
    var limit = after(looks).limit;
    assertThat(limit.map(CapacityLimit::places).orElse(null)).as(rule).isEqualTo(places);
    assertThat(limit.map(CapacityLimit::by).orElse(null)).isEqualTo(by);
    if (of != null) {
      assertThat(limit.orElseThrow().of()).isEqualTo(of);
    }
  }

  @Test
  void theSentenceSaysWhyAndWhatToChange() {
    assertThat(after("0 fixed a=run b=no").limit.orElseThrow().sentence())
        .isEqualTo(
            "one runner at a time tries, until one has started (scheduler has no place for runner b: "
                + WORDS
                + "; make room: more or larger nodes, or other requests, selectors and tolerations in"
                + " spec.template)");
    assertThat(after("0 a=run b=image;10").limit.orElseThrow().sentence())
        .contains("runner b does not start: ImagePullBackOff: not found; correct the image");
    assertThat(after("0 fixed a=run b=no;5 b=run").limit.orElseThrow().sentence())
        .startsWith("a runner has started, and the number rises as more do");
  }

  @Test
  void theStatusStaysWhileNothingNewIsKnown() {
    var played = after("0 fixed a=run b=no");
    var stored = played.placement.stored();
    played.step("20 b=no");
    played.step("40");
    assertThat(played.placement.stored()).isEqualTo(stored);
    played.step("60 b=run");
    assertThat(played.placement.stored()).isNotEqualTo(stored);
  }
}
