package dev.runnerset.cli.main;

import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.text.Screen;
import dev.runnerset.crds.AutoScalingRunnerSet;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/**
 * A command that reads sets, and prints items of them in the form that {@code -o} names.
 *
 * @param <T> an item of the output
 */
abstract class SetListCommand<T> implements Callable<Integer> {
  @Mixin final SetOptions sets = new SetOptions();
  @Mixin final OutputOptions output = new OutputOptions();

  final Tool tool;

  SetListCommand(Tool tool) {
    this.tool = tool;
  }

  @Override
  public final Integer call() throws InterruptedException {
    try (var cluster = tool.connector().connect(sets.cluster)) {
      show(cluster);
      return ExitCode.OK;
    }
  }

  /** Reads and prints. */
  void show(Cluster cluster) throws InterruptedException {
    var items = items(Sets.read(cluster, sets));
    output.print(
        tool,
        items,
        this::name,
        screen -> items.isEmpty() ? List.of(none(cluster)) : lines(items, screen));
  }

  /** The items, in the order in which they are printed. */
  abstract List<T> items(List<AutoScalingRunnerSet> found);

  /** What {@code -o name} prints for an item. */
  abstract String name(T item);

  /** The line for people where there is no item. */
  abstract String none(Cluster cluster);

  /** The lines for people; there is at least one item. */
  abstract List<String> lines(List<T> items, Screen screen);
}
