package dev.runnerset.simulator.service;

import dev.runnerset.base.CommandLines;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
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
      names = "--admin-token-life",
      paramLabel = "SECONDS",
      defaultValue = "3600",
      description =
          "Life of the token that a registration gives; clients renew it when 60 s are left."
              + " Default: ${DEFAULT-VALUE}.")
  int adminTokenLife;

  @Option(
      names = "--queue-token-life",
      paramLabel = "SECONDS",
      defaultValue = "3600",
      description =
          "Life of the token of a session's messages; then they answer 401 until the session is"
              + " refreshed. Default: ${DEFAULT-VALUE}.")
  int queueTokenLife;

  @Option(
      names = "--run-lease",
      paramLabel = "SECONDS",
      defaultValue = "600",
      description =
          "How long a job runs on whose runner is dead, from its last renewal."
              + " Default: ${DEFAULT-VALUE}.")
  int runLease;

  @Option(
      names = "--orderly-end",
      paramLabel = "SECONDS",
      defaultValue = "20",
      description =
          "How long a job runs on whose runner ended its session without a word about it."
              + " Default: ${DEFAULT-VALUE}.")
  int orderlyEnd;

  @Option(
      names = "--latency",
      paramLabel = "MILLIS",
      defaultValue = "0",
      description = "How long each call waits before it is answered. Default: ${DEFAULT-VALUE}.")
  int latency;

  @Option(
      names = "--tls-certificate",
      paramLabel = "FILE",
      description =
          "PEM file with the certificate of 127.0.0.1, and those of its chain behind it. Serves HTTPS"
              + " instead of HTTP; needs --tls-key.")
  @Nullable Path certificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "PEM file with the key of the certificate, in PKCS#8.")
  @Nullable Path key;

  @Option(
      names = "--app",
      paramLabel = "CLIENT_ID,INSTALLATION,FILE",
      description =
          "A GitHub App that is accepted: its client id or number, the number of its installation, a"
              + " PEM file with its public RSA key. May be repeated.")
  List<String> apps = List.of();

  @Option(
      names = "--fault",
      paramLabel = "NAME[=VALUE]",
      description = {
        "What goes wrong from the start. May be repeated; PUT /_control/faults replaces all of it.",
        "A call goes wrong: CALL=WHAT[,KEY=VALUE...], as getMessage=503,times=3,retryAfter=5",
        "WHAT: a status, lost (carried out, never answered), reset (not carried out),",
        "  hang (no answer), garbage (200, no JSON), endless (a body without an end),",
        "  flood, deep, long_text, long_number, bomb (hostile messages and lists of 4 MiB)",
        "KEY: times, share (0 to 1), retryAfter (seconds), afterEffect, typeName, bytes,",
        "  body (empty, text, message, exception, nested, no_content_type, gateway,",
        "  primary_limit, secondary_limit, saml, ip_allow_list of the REST API)",
        "CALL: * or one of installationToken, registrationToken, runnerRegistration,",
        "  listRunners, runnerGroups, findScaleSet, getScaleSet, createScaleSet,",
        "  updateScaleSet, deleteScaleSet, generatejitconfig, getRunner, findRunner,",
        "  listedRunner, deleteListedRunner, versionDates, dispatch, listRuns, workflowRun,",
        "  cancelRun, runJobs, rerunFailedJobs, rerunJob,",
        "  removeRunner, createSession, refreshSession, deleteSession, getMessage,",
        "  deleteMessage, acquirejobs, acquirablejobs, runner.token,",
        "  runner.createSession, runner.deleteSession, runner.getMessage,",
        "  runner.acknowledge, run.acquirejob, run.renewjob, run.completejob",
        "Switches with a share of 0 to 1: duplicated, dropped.JobStarted (or another event),",
        "  odd.emptyQueueUrl, odd.noQueueToken, odd.noStatistics, odd.oddElements,",
        "  odd.brokenBodies, legacy.won (of the jobs that a set asks for)",
        "Other switches: statistics=null (or zero, inflated, with_jobs_only), byteOrderMark,",
        "  noCreatedOn (scale sets without the time at which they were made),",
        "  linger=SECONDS (a runner stays busy after its job), legacy.assignDelay=SECONDS,",
        "  legacy.acquiredInAssigned, legacy.firstLabelOnly,",
        "  jitConfigsPerSecond=NUMBER (more are refused with 429), jitRetryAfter=SECONDS (with those),",
        "  runLag=SECONDS (a run is in progress after its last job), restPerHour=NUMBER (REST calls)"
      })
  List<String> faults = List.of();

  private SimulatedServiceMain() {}

  /** Runs until the process is asked to stop; bad options end with one line and exit code 2. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** The command, for a launcher that has several. */
  public static CommandLine commandLine() {
    return CommandLines.withoutStackTraces(new SimulatedServiceMain())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpWidth(120);
  }

  @Override
  public Integer call() throws InterruptedException {
    var plan = FaultFlags.plan(faults);
    try (var server = ActionsServiceServer.start(options(), Clock.systemUTC())) {
      server.control().faults(plan);
      System.out.println("listening on " + server.url());
      new CountDownLatch(1).await();
    }
    return 0;
  }

  private Options options() {
    if (sessionLease < 1 || poll < 1 || adminTokenLife < 1 || queueTokenLife < 1 || runLease < 1) {
      throw new IllegalArgumentException(
          "--session-lease, --poll, --run-lease and the lives of tokens must be at least 1");
    }
    if (orderlyEnd < 0 || latency < 0) {
      throw new IllegalArgumentException("--orderly-end and --latency must be at least 0");
    }
    var timings =
        Timings.defaults()
            .withSessionLease(Duration.ofSeconds(sessionLease))
            .withMessagePoll(Duration.ofSeconds(poll))
            .withTokens(Duration.ofSeconds(adminTokenLife), Duration.ofSeconds(queueTokenLife))
            .withRunLease(Duration.ofSeconds(runLease))
            .withOrderlyEnd(Duration.ofSeconds(orderlyEnd))
            .withLatency(Duration.ofMillis(latency));
    return new Options(
        port,
        new LinkedHashSet<>(tokens),
        apps.stream().map(SimulatedServiceMain::app).toList(),
        Set.copyOf(owners),
        new LinkedHashSet<>(groups),
        timings,
        seed,
        1024,
        tls(),
        flavour);
  }

  private Optional<SSLContext> tls() {
    if (certificate == null && key == null) {
      return Optional.empty();
    }
    if (certificate == null || key == null) {
      throw new IllegalArgumentException("--tls-certificate and --tls-key need each other");
    }
    return Optional.of(Pem.serverContext(certificate, key));
  }

  private static App app(String text) {
    var parts = text.split(",", 3);
    var installation = Numbers.parseLong(parts.length == 3 ? parts[1] : "");
    if (installation.isEmpty()) {
      throw new IllegalArgumentException(
          "--app needs CLIENT_ID,INSTALLATION,FILE, not '" + text + "'");
    }
    return new App(parts[0], installation.get(), Pem.publicKey(Path.of(parts[2])));
  }
}
