package dev.runnerset.cli.main;

import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.view.SetView;
import dev.runnerset.crds.AutoScalingRunnerSet;
import java.util.List;

/** A command that prints one item for each set, what hurts most first. */
abstract class SetViewCommand extends SetListCommand<SetView> {
  SetViewCommand(Tool tool) {
    super(tool);
  }

  @Override
  final List<SetView> items(List<AutoScalingRunnerSet> found) {
    return SetView.worstFirst(found);
  }

  @Override
  final String name(SetView set) {
    return set.name().toString();
  }

  @Override
  final String none(Cluster cluster) {
    return "No sets " + Named.where(sets.selection(cluster)) + ".";
  }
}
