package dev.runnerset.simulator.service;

import dev.runnerset.base.CommandLines;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code runnerset simulator service}: the simulated Actions service as a process. */
@Command(
    name = "runnerset simulator service",
    description = "Plays the GitHub Actions service on 127.0.0.1, with a control interface.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class SimulatedServiceMain implements Callable<Integer> {
  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "8080",
      description = "Port; 0 takes a free one. Default: ${DEFAULT-VALUE}.")
  int port;

  @Option(
      names = "--token",
      paramLabel = "T",
      required = true,
      description = "A personal access token that is accepted. May be repeated.")
  List<String> tokens = List.of();

  @Option(
      names = "--flavour",
      paramLabel = "NAME",
      defaultValue = "broker",
      description =
          "Generation of the service: broker (github.com) or legacy (older servers: jobs are offered"
              + " and acquired). Default: ${DEFAULT-VALUE}.")
  Flavour flavour = Flavour.BROKER;

  @Option(
      names = "--owner",
      paramLabel = "NAME",
      description = "An organisation that exists; without any, all do. May be repeated.")
  List<String> owners = List.of();

  @Option(
      names = "--group",
      paramLabel = "NAME",
      description = "A runner group beside Default. May be repeated.")
  List<String> groups = List.of();

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of random faults. Default: ${DEFAULT-VALUE}.")
  long seed;

  @Option(
      names = "--session-lease",
      paramLabel = "SECONDS",
      defaultValue = "90",
      description = "Life of a session without contact. Default: ${DEFAULT-VALUE}.")
  int sessionLease;

  @Option(
      names = "--poll",
      paramLabel = "SECONDS",
      defaultValue = "50",
      description = "Length of a long poll. Default: ${DEFAULT-VALUE}.")
  int poll;

  @Option(
      names = "--statistics-with-jobs-only",
      description = "Statistics come with job messages only, and not in messages of their own.")
  boolean statisticsWithJobsOnly;

  private SimulatedServiceMain() {}

  /** Runs until the process is asked to stop; bad options end with one line and exit code 2. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** The command, for a launcher that has several. */
  public static CommandLine commandLine() {
    return CommandLines.withoutStackTraces(new SimulatedServiceMain())
        .setCaseInsensitiveEnumValuesAllowed(true);
  }

  @Override
  public Integer call() throws InterruptedException {
    if (sessionLease < 1 || poll < 1) {
      throw new IllegalArgumentException("--session-lease and --poll must be at least 1");
    }
    var timings =
        Timings.defaults()
            .withSessionLease(Duration.ofSeconds(sessionLease))
            .withMessagePoll(Duration.ofSeconds(poll));
    var options =
        new Options(
            port,
            new LinkedHashSet<>(tokens),
            Set.copyOf(owners),
            new LinkedHashSet<>(groups),
            timings,
            seed,
            1024,
            Optional.empty(),
            flavour);
    try (var server = ActionsServiceServer.start(options, Clock.systemUTC())) {
      if (statisticsWithJobsOnly) {
        server
            .control()
            .faults(FaultPlan.NONE.withStatistics(FaultPlan.StatisticsFault.WITH_JOBS_ONLY));
      }
      System.out.println("listening on " + server.url());
      new CountDownLatch(1).await();
    }
    return 0;
  }
}
