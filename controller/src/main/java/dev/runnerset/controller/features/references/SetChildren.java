package dev.runnerset.controller.features.references;

import dev.runnerset.controller.config.EmbeddedStatus;
import dev.runnerset.controller.hooks.RunnerSetFacts;
import dev.runnerset.controller.hooks.StatusField;
import dev.runnerset.crds.AutoScalingRunnerSetStatusBuilder;
import java.util.List;
import java.util.stream.Stream;

/** References of a runner set to the children that exist, unless they are off (RF1, RF5). */
public record SetChildren(EmbeddedStatus embedded)
    implements StatusField<RunnerSetFacts, AutoScalingRunnerSetStatusBuilder> {
  @Override
  public void fill(RunnerSetFacts facts, AutoScalingRunnerSetStatusBuilder status) {
    var children =
        Stream.of(facts.ephemeralRunnerSet(), facts.listener())
            .flatMap(Stream::ofNullable)
            .toList();
    status.childReferences(
        embedded.hasReferences() ? ChildReferences.of(children).list() : List.of());
  }
}
