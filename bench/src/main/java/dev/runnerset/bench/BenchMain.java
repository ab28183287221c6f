package dev.runnerset.bench;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.runnerset.base.CommandLines;
import dev.runnerset.bench.jmh.HotPaths;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.testcluster.TestCluster;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./runnerset bench}: measures both programs beside the bound. */
@Command(
    name = "runnerset bench",
    mixinStandardHelpOptions = true,
    description = {
      "Measures both programs beside a bare client that does the same writes, on a real control"
          + " plane of our own, in one sitting.",
      "Exit 0: measured. 1: a measurement could not be finished. 2: wrong options, or no control"
          + " plane."
    })
public final class BenchMain implements Callable<Integer> {
  @Option(names = "--cell", arity = "1..*", description = "as in --list (burst-100, steady-5)")
  private List<String> cells = List.of();

  @Option(names = "--list", description = "name the cells, with their times, and stop")
  private boolean list;

  @Option(names = "--repeat", paramLabel = "N", description = "runs of each cell, 1 to 9 (1)")
  private int repeat = 1;

  @Option(names = "--json", paramLabel = "FILE", description = "write rows, medians, ratios there")
  private @Nullable Path json;

  @Option(names = "--plot", paramLabel = "DIR", description = "write charts there, as PNG")
  private @Nullable Path plot;

  @Option(names = "--jfr", paramLabel = "DIR", description = "record both programs there")
  private @Nullable Path jfr;

  @Option(names = "--apiserver-profile", paramLabel = "DIR", description = "profile kube-apiserver")
  private @Nullable Path apiServerProfile;

  private final Clock clock = Clock.systemUTC();

  /** Runs the command. */
  public static void main(String[] args) {
    System.exit(CommandLines.withoutStackTraces(new BenchMain()).execute(args));
  }

  /** What was measured, in the form of its JSON; ratios by cell and side. */
  record Report(List<Row> rows, List<Row> medians, Map<String, Map<String, Double>> ratios) {
    static Report of(List<Row> rows) {
      var medians = Row.medians(rows);
      var ratios = new LinkedHashMap<String, Map<String, Double>>();
      for (var row : medians) {
        var bound = row.bound(medians);
        if (bound.isPresent() && row.side() != Row.Side.BOUND) {
          ratios.put(row.cell() + " " + row.side(), row.ratios(bound.get()));
        }
      }
      return new Report(rows, medians, ratios);
    }
  }

  @Override
  public Integer call() throws Exception {
    if (list) {
      for (var cell : Cell.values()) {
        System.out.printf("%-12s %4d s  %s%n", cell.word(), cell.seconds(), cell.what());
      }
      return 0;
    }
    var chosen = cells.isEmpty() ? Cell.USUAL : cells.stream().map(Cell::of).distinct().toList();
    if (repeat < 1 || repeat > 9) {
      throw new IllegalArgumentException("--repeat: " + repeat + " is not in 1..9");
    }
    writable("--json", json);
    var plots = folder("--plot", plot);
    var profiles =
        new Profiles(folder("--jfr", jfr), folder("--apiserver-profile", apiServerProfile));
    var onServer = chosen.stream().filter(cell -> cell != Cell.JMH).toList();
    if (!onServer.isEmpty()) {
      TestCluster.unavailableReason()
          .ifPresent(reason -> {
            throw new IllegalArgumentException("no control plane: " + reason);
          });
    }
    try {
      if (chosen.contains(Cell.JMH)) {
        HotPaths.run();
      }
      if (!onServer.isEmpty()) {
        measure(onServer, profiles, plots);
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(e); // no option is wrong
    }
    return 0;
  }

  private void measure(List<Cell> chosen, Profiles profiles, Optional<Path> plots)
      throws IOException {
    var folder = Files.createTempDirectory("runnerset-bench");
    System.err.println("logs of the programs: " + folder);
    var out = new PrintStream(System.err, true);
    var rows = new ArrayList<Row>();
    try (var sitting = new Sitting(folder, profiles, new Progress(out, false, clock), clock)) {
      // not counted: the simulators are compiled meanwhile
      var _ = sitting.run(Cell.BURST_30, 0, false);
      for (int run = 1; run <= repeat; run++) {
        for (var cell : chosen) {
          rows.addAll(sitting.run(cell, run, true));
          write(Report.of(rows));
        }
      }
    } finally {
      var medians = Row.medians(rows); // also where a later cell failed
      Table.print(medians, System.out);
      plots.ifPresent(to -> Plots.write(medians, to));
    }
  }

  private void write(Report report) throws IOException {
    if (json != null) {
      var mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
      Files.writeString(json, mapper.writeValueAsString(report) + "\n");
    }
  }

  private static void writable(String option, @Nullable Path file) {
    if (file == null) {
      return;
    }
    try {
      Files.writeString(file, "", CREATE, APPEND); // what is there stays until there is a result
    } catch (IOException e) {
      throw new IllegalArgumentException(option + ": cannot write " + file);
    }
  }

  private static Optional<Path> folder(String option, @Nullable Path folder) {
    if (folder == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Files.createDirectories(folder).toAbsolutePath());
    } catch (IOException e) {
      throw new IllegalArgumentException(option + ": cannot make the folder " + folder);
    }
  }
}
