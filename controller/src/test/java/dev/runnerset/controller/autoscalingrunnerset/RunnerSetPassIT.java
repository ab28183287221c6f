package dev.runnerset.controller.autoscalingrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.base.metrics.Meters;
import dev.runnerset.controller.autoscalinglistener.HolderLeases;
import dev.runnerset.controller.autoscalingrunnerset.planning.ObservedRunnerSet;
import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.controller.hooks.RunnersReports;
import dev.runnerset.controller.hooks.SetFeature;
import dev.runnerset.controller.hooks.SetFeatures;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.scaling.Limits;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.kube.Resource;
import dev.runnerset.kube.Unreadable;
import dev.runnerset.testsupport.Exposition;
import dev.runnerset.testsupport.TestClock;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What one pass reports, whatever it can do about the set. */
final class RunnerSetPassIT {
  private final StoredSet world = new StoredSet();
  private final TestClock clock = new TestClock();
  private final List<String> events = new ArrayList<>();

  private final RunnerSetPass.Known known =
      new RunnerSetPass.Known() {
        @Override
        public Stream<AutoScalingRunnerSet> sets() {
          return Stream.of(stored());
        }

        @Override
        public Optional<AutoScalingRunnerSet> set(SetKey key) {
          return Optional.of(stored());
        }

        @Override
        public void wake(SetKey key) {}

        @Override
        public void created(HasMetadata made) {}

        @Override
        public void changed(HasMetadata before, HasMetadata after) {}
      };

  private final ControllerSettings settings = ControllerSettings.of("one");

  RunnerSetPassIT() {
    var ours = Sets.json("{'controller': '%s'}".formatted(settings.places().installation()));
    var _ = world.kube.mergeStatus(AutoScalingRunnerSet.class, Resource.of(world.set), ours);
  }

  @AfterEach
  void stop() {
    world.close();
  }

  /** The set as the cache has it: it was not read whole. */
  private AutoScalingRunnerSet stored() {
    var set =
        Objects.requireNonNull(world.kube.get(AutoScalingRunnerSet.class, Resource.of(world.set)));
    new Unreadable.TooLarge(300_000).noteOn(set);
    return set;
  }

  /** The first pass of a process with these series. */
  private void pass(Meters meters) {
    var environment =
        new RunnerSetPass.Environment(
            world.kube,
            new FakeScaleSets().connections(),
            Runnable::run,
            (about, reason, message) -> events.add(reason.word()),
            meters,
            new Memories(),
            new RunnersReports(),
            Clocks.of(clock, System::nanoTime));
    var pass =
        new RunnerSetPass(
            settings,
            environment,
            new SetFeatures(
                List.of(
                    new SetFeature() {
                      @Override
                      public Optional<Limits> limits(AutoScalingRunnerSet set) {
                        throw new AssertionError("the pass works on the set");
                      }
                    })),
            new HolderLeases(System::nanoTime),
            known);
    var _ =
        pass.run(new ObservedRunnerSet(stored(), List.of(stored()), null, null, null, null, null));
  }

  @Test
  void wr13AProcessThatStartsReportsASetThatItCannotReadAsTheOneBeforeDid() {
    pass(Meter.series());
    assertThat(events).containsExactly("SpecTooLarge");
    events.clear();
    var meters = Meter.series();
    pass(meters);
    assertThat(events).as("by the next process").containsExactly("SpecTooLarge");
    assertThat(Exposition.of(meters::snapshots).lines("runnerset_set_condition"))
        .anyMatch(line -> line.contains("reason=\"SpecTooLarge\""));
  }
}
