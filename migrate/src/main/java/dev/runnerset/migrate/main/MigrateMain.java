package dev.runnerset.migrate.main;

import dev.runnerset.base.CommandLines;
import dev.runnerset.migrate.BadInput;
import dev.runnerset.migrate.Conversion;
import dev.runnerset.migrate.Migration;
import dev.runnerset.migrate.Options;
import dev.runnerset.migrate.Report;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./runnerset migrate}: prints YAML, and notes on standard error; exit 2 for bad input. */
@Command(
    name = "runnerset migrate",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Reads sets of actions-runner-controller, as AutoscalingRunnerSet resources (kubectl get -o"
          + " yaml) or as values of their Helm chart, and prints them as AutoScalingRunnerSet"
          + " resources or as values of charts/runnerset-set. What differs is reported in comments and"
          + " on standard error. Nothing is sent anywhere. See docs/start/beside-arc.md."
    })
public final class MigrateMain implements Callable<Integer> {
  @Parameters(
      paramLabel = "FILE",
      description = "YAML or JSON, one or more documents; - or none for standard input")
  private List<String> files = new ArrayList<>();

  @Option(
      names = "--beside",
      paramLabel = "SUFFIX",
      description =
          "a scale set of its own: SUFFIX, as -next, is appended to the names of set and scale set")
  private @Nullable String suffix;

  @Option(
      names = "--adopt",
      description = "the same scale set: taken over as soon as its controller lets go of it")
  private boolean adopt;

  @Option(
      names = "--scale-set-id",
      paramLabel = "ID",
      description = "with --adopt: the id of the scale set, where the input does not have it")
  private @Nullable Integer scaleSetId;

  @Option(
      names = "--release",
      paramLabel = "NAME",
      description = "the Helm release, which names the scale set where the values do not")
  private @Nullable String release;

  private final InputStream in;
  private final PrintStream out;
  private final PrintStream err;

  MigrateMain(InputStream in, PrintStream out, PrintStream err) {
    this.in = in;
    this.out = out;
    this.err = err;
  }

  /** Converts. */
  public static void main(String[] args) {
    System.exit(run(System.in, System.out, System.err, args));
  }

  static int run(InputStream in, PrintStream out, PrintStream err, String... args) {
    return CommandLines.withoutStackTraces(new MigrateMain(in, out, err))
        .setOut(new java.io.PrintWriter(out, true, StandardCharsets.UTF_8))
        .setErr(new java.io.PrintWriter(err, true, StandardCharsets.UTF_8))
        .execute(args);
  }

  @Override
  public Integer call() throws IOException {
    var options = new Options(adopt, suffix, scaleSetId, release);
    var outcomes = new ArrayList<Conversion>();
    for (var file : files.isEmpty() ? List.of("-") : files) {
      var source = file.equals("-") ? "standard input" : file;
      outcomes.addAll(Migration.of(source, read(file), options));
    }
    var sets =
        outcomes.stream()
            .filter(Conversion.Converted.class::isInstance)
            .map(Conversion.Converted.class::cast)
            .toList();
    var byFlag =
        sets.stream().filter(Conversion.Converted::idByFlag).map(Conversion::title).toList();
    if (byFlag.size() > 1) {
      throw new BadInput(
          "--scale-set-id is the id of one scale set, but more sets have none in the input ("
              + String.join(", ", byFlag)
              + "): convert them one by one, each with its id");
    }
    outcomes.stream()
        .flatMap(outcome -> Report.lines(outcome).stream())
        .forEach(line -> err.println("runnerset migrate: " + line));
    if (sets.isEmpty()) {
      throw new BadInput(
          "no AutoscalingRunnerSet and no values in the input: give the output of kubectl get"
              + " autoscalingrunnersets.actions.github.com -A -o yaml");
    }
    out.print(Report.yaml(sets));
    return CommandLine.ExitCode.OK;
  }

  private String read(String file) throws IOException {
    if (file.equals("-")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    var path = Path.of(file);
    if (!Files.isReadable(path) || Files.isDirectory(path)) {
      throw new BadInput(file + ": no file that can be read: check its name");
    }
    return Files.readString(path);
  }
}
