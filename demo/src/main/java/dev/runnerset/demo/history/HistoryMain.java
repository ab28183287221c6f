package dev.runnerset.demo.history;

import dev.runnerset.base.CommandLines;
import dev.runnerset.controller.features.history.HistoryPolicy;
import dev.runnerset.crds.HistoryEntry;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code ./runnerset history}: what stays of a long life under given weights; exit 2 for bad flags.
 */
@Command(
    name = "runnerset history",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Plays a long realistic life of rollouts, drawn from a seed, through the pruning of"
            + " status.history, and prints what stays. Weights are in the unit of the formula.")
public final class HistoryMain implements Callable<Integer> {
  @Option(names = "--seed", paramLabel = "N", description = "the life (default: ${DEFAULT-VALUE})")
  private long seed = 1;

  @Option(
      names = "--rollouts",
      paramLabel = "N",
      description = "how many there were (default: ${DEFAULT-VALUE})")
  private int rollouts = 400;

  @Option(names = "--size", paramLabel = "N", description = "entries kept (default: 100)")
  private int size = HistoryPolicy.DEFAULT.maxEntries();

  @Option(
      names = "--protected",
      paramLabel = "WEIGHT",
      description = "initial, five newest, most recent completed (default: ${DEFAULT-VALUE})")
  private BigDecimal protectedWeight = BigDecimal.valueOf(1000);

  @Option(
      names = "--bookend",
      paramLabel = "WEIGHT",
      description = "first or last completed in a minor (default: ${DEFAULT-VALUE})")
  private BigDecimal bookend = BigDecimal.valueOf(30);

  @Option(
      names = "--transition",
      paramLabel = "WEIGHT",
      description = "partial between two minors (default: ${DEFAULT-VALUE})")
  private BigDecimal transition = BigDecimal.valueOf(20);

  @Option(
      names = "--z-stream",
      paramLabel = "WEIGHT",
      description = "partial within one minor (default: ${DEFAULT-VALUE})")
  private BigDecimal zStream = BigDecimal.valueOf(-20);

  @Option(
      names = "--place",
      paramLabel = "WEIGHT",
      description = "for each place an entry is older (default: ${DEFAULT-VALUE})")
  private BigDecimal place = new BigDecimal("-1.01");

  @Spec private @Nullable CommandSpec command;

  /** Prints it. */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  static int run(String... args) {
    return CommandLines.of(new HistoryMain()).execute(args);
  }

  @Override
  public Integer call() {
    if (rollouts < 1 || rollouts > 10_000) {
      throw refused("--rollouts must be from 1 to 10000, not " + rollouts);
    }
    try {
      var policy =
          new HistoryPolicy(
              size,
              HistoryPolicy.DEFAULT.finalEntries(),
              hundredths(protectedWeight),
              hundredths(bookend),
              hundredths(transition),
              hundredths(zStream),
              hundredths(place));
      print(RolloutLife.of(new SplittableRandom(seed), rollouts, policy), System.out);
      return CommandLine.ExitCode.OK;
    } catch (IllegalArgumentException e) {
      throw refused(String.valueOf(e.getMessage()));
    }
  }

  private CommandLine.ParameterException refused(String message) {
    return new CommandLine.ParameterException(
        command == null ? new CommandLine(this) : command.commandLine(), message);
  }

  private static long hundredths(BigDecimal weight) {
    try {
      return weight.movePointRight(2).longValueExact();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("a weight has at most two decimals, not " + weight, e);
    }
  }

  static void print(RolloutLife life, PrintStream out) {
    out.println(life.rollouts() + " rollouts, " + life.kept().size() + " kept; dropped:");
    life.droppedByReason()
        .forEach((reason, count) -> out.printf("  %4d %s%n", count, reason.phrase()));
    out.println("kept, newest first (number is the place in life, 1 the first):");
    for (var kept : life.kept()) {
      out.printf(
          "  %4d %-9s %-9s %s%n",
          kept.number(),
          kept.entry().state() == HistoryEntry.State.COMPLETED ? "Completed" : "Partial",
          kept.entry().version().isEmpty() ? kept.entry().image() : kept.entry().version(),
          kept.reason().phrase());
    }
  }
}
