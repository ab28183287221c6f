package dev.runnerset.migrate.main;

import dev.runnerset.base.CommandLines;
import dev.runnerset.migrate.BadInput;
import dev.runnerset.migrate.Conversion;
import dev.runnerset.migrate.Kustomization;
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
import java.util.Map;
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
          + " yaml) or as values of their Helm chart, also in a HelmRelease, an Application or below"
          + " the key of an umbrella chart, and prints them as AutoScalingRunnerSet"
          + " resources or as values of charts/runnerset-set. What differs is reported in comments and"
          + " on standard error. Nothing is sent anywhere. See docs/start/beside-arc.md."
    })
public final class MigrateMain implements Callable<Integer> {
  @Parameters(
      paramLabel = "FILE",
      description =
          "YAML or JSON, one or more documents; a folder, for all YAML in it; - or none for"
              + " standard input")
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

  @Option(
      names = "--kustomize",
      paramLabel = "FOLDER",
      description =
          "write a file for each set and a kustomization.yaml into this folder instead of printing;"
              + " files that exist are not replaced")
  private @Nullable Path kustomize;

  private final InputStream in;
  private final PrintStream out;
  private final PrintStream err;

  /** The command between those streams. */
  public MigrateMain(InputStream in, PrintStream out, PrintStream err) {
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
    var options = new Options(adopt, suffix, scaleSetId, release, release != null);
    var inputs = new Inputs(in, options);
    var outcomes = new ArrayList<Conversion>();
    for (var file : files.isEmpty() ? List.of("-") : files) {
      outcomes.addAll(inputs.of(file));
    }
    var sets =
        outcomes.stream()
            .filter(Conversion.Converted.class::isInstance)
            .map(Conversion.Converted.class::cast)
            .toList();
    checkOnce(sets, "--scale-set-id", "is the id of one scale set, but more sets have none");
    checkOnce(sets, "--release", "is the name of one scale set, but more values have none");
    outcomes.stream().flatMap(outcome -> Report.lines(outcome).stream()).forEach(this::tell);
    if (sets.isEmpty()) {
      throw new BadInput(
          "no AutoscalingRunnerSet and no values in the input: give the output of kubectl get"
              + " autoscalingrunnersets.actions.github.com -A -o yaml");
    }
    if (sets.stream().filter(Conversion.Converted::isValues).count() > 1) {
      tell("several documents of values are printed: put each into a file of its own for helm");
    }
    if (kustomize == null) {
      out.print(Report.yaml(sets));
    } else {
      write(kustomize, Kustomization.files(sets));
    }
    return CommandLine.ExitCode.OK;
  }

  /** All files, or none if one of them exists. */
  private void write(Path folder, Map<String, String> textByName) throws IOException {
    for (var name : textByName.keySet()) {
      if (Files.exists(folder.resolve(name))) {
        throw new BadInput(
            folder.resolve(name) + " exists: name another folder, or move the file away");
      }
    }
    Files.createDirectories(folder);
    for (var file : textByName.entrySet()) {
      Files.writeString(folder.resolve(file.getKey()), file.getValue());
    }
    tell(textByName.size() + " files were written into " + folder);
  }

  /** A flag that names one scale set is for one set. */
  private static void checkOnce(List<Conversion.Converted> sets, String flag, String what) {
    var titles =
        sets.stream().filter(set -> set.byFlags().contains(flag)).map(Conversion::title).toList();
    if (titles.size() > 1) {
      throw new BadInput(
          "%s %s in the input (%s): convert them one by one, each with its own"
              .formatted(flag, what, String.join(", ", titles)));
    }
  }

  private void tell(String line) {
    err.println("runnerset migrate: " + line);
  }
}
