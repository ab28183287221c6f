package dev.runnerset.cli.main;

import dev.runnerset.cli.cluster.Gap;
import dev.runnerset.cli.text.Ages;
import dev.runnerset.cli.text.Screen;
import dev.runnerset.cli.why.Explanation;
import dev.runnerset.cli.why.Fact;
import dev.runnerset.cli.why.JobQuery;
import dev.runnerset.cli.why.WhyGone;
import dev.runnerset.cli.why.WhyReader;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code why}: the cause in one sentence, what shows it, and what to do. */
@Command(
    name = "why",
    description = {
      "Says in one sentence why a set, a runner or a job is as it is; then what shows it, in the"
          + " order of time, and what to do.",
      "A set comes before a runner of the same name."
    })
final class WhyCommand implements Callable<Integer> {
  private static final int INDENT = 8;

  @Mixin final ClusterOptions cluster = new ClusterOptions();
  @Mixin final OutputOptions output = new OutputOptions();

  @Parameters(arity = "0..1", paramLabel = "SET|RUNNER", description = "a set or a runner")
  Optional<String> name = Optional.empty();

  @Option(
      names = "--job",
      paramLabel = "JOB",
      description = "a job: the URL or the id of its workflow run, or its name")
  Optional<String> job = Optional.empty();

  @Option(
      names = {"-A", "--all-namespaces"},
      description = "look for the job in all namespaces")
  boolean allNamespaces;

  private final Tool tool;

  WhyCommand(Tool tool) {
    this.tool = tool;
  }

  @Override
  public Integer call() {
    if (name.isPresent() == job.isPresent() || allNamespaces && name.isPresent()) {
      throw new CommandException(
          ExitCode.USAGE,
          "Name one set or runner, or a job with --job (there, -A looks everywhere)");
    }
    try (var connected = tool.connector().connect(cluster)) {
      var reader = new WhyReader(connected);
      var namespace = allNamespaces ? "" : connected.namespace();
      var found =
          job.isPresent()
              ? ofJob(reader, JobQuery.of(job.get()), namespace)
              : List.of(of(reader, name.orElseThrow(), namespace));
      reader.gaps().stream().map(Gap::sentence).forEach(tool::remark);
      output.print(tool, found, Explanation::subject, screen -> lines(found, screen));
      return ExitCode.OK;
    }
  }

  private static Explanation of(WhyReader reader, String name, String namespace) {
    var sets = reader.sets(namespace);
    var set = named(sets, name);
    if (set.isPresent()) {
      return reader.explain(set.get());
    }
    var runners = reader.runners(namespace);
    var runner = named(runners, name);
    if (runner.isPresent()) {
      return reader.explain(runner.get());
    }
    return WhyGone.ofRunner(namespace, name, sets, reader.events(namespace))
        .orElseThrow(() -> {
          reader.gaps().stream().findFirst().ifPresent(Sets::refuse);
          var ofSet = sets.stream().filter(s -> name.startsWith(nameOf(s) + "-")).findFirst();
          return ofSet.isPresent()
              ? new CommandException(
                  ExitCode.NOT_FOUND,
                  "Nothing is kept of a runner '%s' of the set %s/%s: spec.retention keeps failed runners"
                          .formatted(name, namespace, nameOf(ofSet.get()))
                      + " for longer, and the log of the controller has the lost jobs")
              : Named.notFound(
                  "set or runner",
                  name,
                  Stream.concat(sets.stream(), runners.stream()).map(WhyCommand::nameOf).toList(),
                  "in the namespace " + namespace);
        });
  }

  private static List<Explanation> ofJob(WhyReader reader, JobQuery query, String namespace) {
    var found = reader.explain(query, namespace);
    if (found.isEmpty()) {
      reader.gaps().stream()
          .map(Gap::sentence)
          .findFirst()
          .ifPresent(gap -> {
            throw new CommandException(ExitCode.WRONG, gap);
          });
      throw new CommandException(
          ExitCode.NOT_FOUND,
          "There is no %s in the status of a runner, among the lost jobs of a set, or in an event %s:"
                  .formatted(
                      query.words(),
                      namespace.isEmpty() ? "of the cluster" : "of the namespace " + namespace)
              + " GitHub names no job that waits, and events go after an hour"
              + (namespace.isEmpty() ? "" : "; -A looks in all namespaces"));
    }
    return found;
  }

  private static <T extends HasMetadata> Optional<T> named(List<T> all, String name) {
    return all.stream().filter(each -> nameOf(each).equals(name)).findFirst();
  }

  private static String nameOf(HasMetadata object) {
    return object.getMetadata().getName();
  }

  private List<String> lines(List<Explanation> found, Screen screen) {
    var lines = new ArrayList<String>();
    for (var each : found) {
      if (!lines.isEmpty()) {
        lines.add("");
      }
      lines.addAll(screen.wrapped(each.sentence(), 0));
      if (!each.evidence().isEmpty()) {
        lines.add("");
        each.evidence().forEach(fact -> lines.addAll(line(fact, screen)));
      }
      lines.add("");
      each.advice().forEach(text -> lines.addAll(indented("- ", screen.wrapped(text, 2))));
    }
    return lines;
  }

  private List<String> line(Fact fact, Screen screen) {
    var age = Ages.since(fact.at(), tool.now());
    var label = " ".repeat(Math.max(0, INDENT - 2 - age.length())) + age + "  ";
    return indented(label, screen.wrapped(fact.source() + ": " + fact.text(), INDENT));
  }

  private static List<String> indented(String label, List<String> lines) {
    var room = " ".repeat(label.length());
    return Stream.concat(
            lines.stream().limit(1).map(line -> label + line),
            lines.stream().skip(1).map(line -> room + line))
        .toList();
  }
}
