package dev.runnerset.cli.main;

import dev.runnerset.cli.report.Bundle;
import dev.runnerset.cli.report.ReportReader;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code report}: a bundle for an issue. */
@Command(
    name = "report",
    description = {
      "Writes a bundle for an issue: objects, events, pods of runners, the last lines of the logs of"
          + " both programs, metrics and versions.",
      "Secrets are never read, and what looks like a credential is taken out; left-out.txt in the"
          + " bundle lists that, and what could not be read."
    })
final class ReportCommand implements Callable<Integer> {
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  @Mixin final SetOptions sets = new SetOptions();
  @Mixin final SystemOptions system = new SystemOptions();

  @Option(
      names = "--output",
      paramLabel = "FILE.tar.gz",
      description = "the file, which must not exist (runnerset-report-TIME.tar.gz here)")
  Optional<Path> output = Optional.empty();

  private final Tool tool;

  ReportCommand(Tool tool) {
    this.tool = tool;
  }

  @Override
  public Integer call() {
    var file =
        output.orElseGet(() -> Path.of("runnerset-report-" + STAMP.format(tool.now()) + ".tar.gz"));
    if (Files.exists(file)) {
      throw exists(file);
    }
    try (var cluster = tool.connector().connect(sets.cluster)) {
      Sets.check(cluster, sets);
      var selection = sets.selection(cluster);
      var scope =
          new ReportReader.Scope(
              selection.namespace(), sets.set.orElse(""), system.controller, system.listener);
      var bundle = new ReportReader(cluster, scope).read(tool.now());
      write(bundle, file);
      bundle.missing().forEach(tool::remark);
      tool.out()
          .println(
              "%s has %d files; %d things that look like credentials were taken out: left-out.txt lists them"
                  .formatted(file, bundle.files(), bundle.takenOut()));
      return ExitCode.OK;
    }
  }

  private void write(Bundle bundle, Path file) {
    try {
      bundle.write(Files.newOutputStream(file, StandardOpenOption.CREATE_NEW), tool.now());
    } catch (FileAlreadyExistsException e) {
      throw exists(file);
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.WRONG, "The file %s cannot be written: %s".formatted(file, e.getMessage()));
    }
  }

  private static CommandException exists(Path file) {
    return new CommandException(
        ExitCode.WRONG, "The file %s exists: name another one with --output".formatted(file));
  }
}
