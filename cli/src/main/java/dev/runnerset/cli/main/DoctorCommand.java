package dev.runnerset.cli.main;

import dev.runnerset.actions.http.AllowedHosts;
import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.cluster.KindMissingException;
import dev.runnerset.cli.cluster.Listing;
import dev.runnerset.cli.doctor.Check;
import dev.runnerset.cli.doctor.Check.Result;
import dev.runnerset.cli.doctor.DoctorReader;
import dev.runnerset.cli.doctor.PersonalRights;
import dev.runnerset.cli.doctor.ServiceProbe;
import dev.runnerset.cli.text.Screen;
import dev.runnerset.cli.view.SetName;
import dev.runnerset.crds.AutoScalingRunnerSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code doctor}: whether an installation and its sets are as they must be. */
@Command(
    name = "doctor",
    description = {
      "Checks the installation and sets: a line each with ok, wrong or unknown, and what to do.",
      "What you have no right to read is unknown. Exit code 1 if something is wrong."
    })
final class DoctorCommand implements Callable<Integer> {
  private static final int INDENT = 10;

  /**
   * A check, and what it is about.
   *
   * @param about NAMESPACE/NAME of a set; empty for the installation
   * @param result ok, wrong or unknown
   */
  record Line(String about, String check, String result, String says, String advice) {}

  @Mixin final SetOptions sets = new SetOptions();
  @Mixin final SystemOptions system = new SystemOptions();
  @Mixin final OutputOptions output = new OutputOptions();

  @Option(
      names = "--with-credentials",
      description =
          "also ask GitHub from this machine, with the credentials in the secret of each set")
  boolean withCredentials;

  @Option(
      names = "--allowed-hosts",
      split = ",",
      paramLabel = "HOST",
      description = "private hosts that may be asked then, as both programs have them")
  Set<String> allowedHosts = Set.of();

  private final Tool tool;

  DoctorCommand(Tool tool) {
    this.tool = tool;
  }

  @Override
  public Integer call() {
    try (var cluster = tool.connector().connect(sets.cluster)) {
      var found = sets(cluster);
      var reader = new DoctorReader(cluster);
      var probe = new ServiceProbe(reader, hosts(), tool.clock());
      var lines = new ArrayList<Line>();
      reader
          .installation(system.controller, system.listener, tool.now())
          .forEach(check -> lines.add(line("", check)));
      lines.add(line("", PersonalRights.in(cluster, cluster.namespace())));
      found
          .gap()
          .ifPresent(
              gap -> lines.add(new Line("", "sets", Result.UNKNOWN.word(), gap.sentence(), "")));
      for (var set : found.items()) {
        checks(set, reader, probe).forEach(lines::add);
      }
      output.print(tool, lines, Line::check, screen -> shown(lines, screen));
      return lines.stream().anyMatch(line -> line.result().equals(Result.WRONG.word()))
          ? ExitCode.WRONG
          : ExitCode.OK;
    }
  }

  private AllowedHosts hosts() {
    try {
      return new AllowedHosts(allowedHosts);
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, "--allowed-hosts: " + e.getMessage());
    }
  }

  /** A cluster without our kinds has none, and the check of the kinds says why. */
  private Listing<AutoScalingRunnerSet> sets(Cluster cluster) {
    try {
      return Sets.of(cluster, sets);
    } catch (KindMissingException e) {
      return Listing.of(List.of());
    }
  }

  private List<Line> checks(AutoScalingRunnerSet set, DoctorReader reader, ServiceProbe probe) {
    var name = SetName.of(set).toString();
    var checks = new ArrayList<>(reader.set(set));
    if (withCredentials) {
      checks.add(probe.check(set));
    }
    return checks.stream().map(check -> line(name, check)).toList();
  }

  private static Line line(String about, Check check) {
    return new Line(about, check.name(), check.result().word(), check.says(), check.advice());
  }

  private static List<String> shown(List<Line> lines, Screen screen) {
    var shown = new ArrayList<String>();
    String before = null;
    for (var line : lines) {
      if (!line.about().equals(before)) {
        before = line.about();
        shown.add(line.about().isEmpty() ? "installation" : "set " + line.about());
      }
      var word = line.result();
      var texts = new ArrayList<>(screen.wrapped(line.check() + ": " + line.says(), INDENT));
      if (!line.advice().isEmpty()) {
        texts.addAll(screen.wrapped("To do: " + line.advice(), INDENT));
      }
      var room = " ".repeat(INDENT - 2 - word.length());
      shown.add("  " + screen.coloured(word, tone(line.result())) + room + texts.getFirst());
      texts.stream().skip(1).map(text -> " ".repeat(INDENT) + text).forEach(shown::add);
    }
    return shown;
  }

  private static String tone(String result) {
    return switch (result) {
      case "ok" -> "good";
      case "wrong" -> "bad";
      default -> "warn";
    };
  }
}
