package dev.runnerset.demo.scenario;

import dev.runnerset.demo.figures.Found;
import dev.runnerset.demo.figures.Measure;
import dev.runnerset.demo.programs.Program;
import dev.runnerset.demo.progress.DemoException;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.world.World;
import dev.runnerset.simulator.service.Flavour;
import dev.runnerset.simulator.service.HttpFault;
import java.time.Duration;

/** What happens in each scenario. */
public final class Script {
  private static final Duration SHORT = Duration.ofSeconds(2);
  private static final Duration LONG = Duration.ofSeconds(15);
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final double HALF = 0.5;

  /** The first two runners that the service is asked to remove get a job at that moment. */
  private static final HttpFault JOBS_ON_THEIR_WAY =
      HttpFault.answer("removeRunner", 400, 2)
          .withException("GitHub.DistributedTask.WebApi.TaskAgentJobStillRunningException");

  private final World world;
  private final DemoOptions options;
  private final Progress progress;
  private final Found found = new Found();

  public Script(World world, DemoOptions options, Progress progress) {
    this.world = world;
    this.options = options;
    this.progress = progress;
  }

  /** Runs the scenario; what it found beside the common figures. */
  public Found run() {
    return switch (options.scenario()) {
      case DEFAULT -> defaultRun();
      case SINGLE_NAMESPACE -> singleNamespace();
      case SCALE_DOWN -> scaleDown(0);
      case LOST_MARKS -> scaleDown(HALF);
      case LEGACY -> legacy();
      case LISTENER_RESTART -> restart(world.listener());
      case CONTROLLER_RESTART -> restart(world.controller());
      case BURST -> burst();
      case STEADY -> steady();
      case REFERENCES -> new ReferencesScript(world, options, progress, found).run();
      case IDLE -> idle();
      case IDLE_AGE -> new IdleAgeScript(world, options, progress, found).run();
      case RETENTION -> new RetentionScript(world, options, progress, found).run();
      case HISTORY ->
          new HistoryScript(world, progress, found).run(options.jobsOr(3), options.runnersOr(8));
      case SERVICE_FAULTS ->
          new ServiceFaultsScript(world, progress, found).run(options.runnersOr(30));
      case SHARED_CREDENTIAL ->
          new SharedCredentialScript(world, progress, found)
              .run(options.jobsOr(100), options.runnersOr(100));
      case RUNNER_VERSION -> new RunnerVersionScript(world, progress, found).run(options.jobsOr(3));
      case NODE_LOST -> new NodeLostScript(world, progress, found).run(options.jobsOr(10));
      case RERUN -> new RerunScript(world, progress, found).run(options.jobsOr(5));
      case QUOTA ->
          new QuotaScript(world, progress, found).run(options.jobsOr(100), options.runnersOr(20));
      case PLACEMENT ->
          new PlacementScript(world, progress, found)
              .run(options.jobsOr(50), options.runnersOr(10));
      case FAILOVER ->
          new FailoverScript(world, progress, found).run(options.jobsOr(20), options.runnersOr(5));
      case SCHEDULE -> new ScheduleScript(world, progress, found).run();
    };
  }

  /** The last act of each: the set goes, and nothing of it is left. */
  public void end() {
    progress.step("deleting the set");
    world.deleteSet();
  }

  private Found defaultRun() {
    int runners = options.runnersOr(20);
    world.begin(0, runners);
    progress.step("submitting " + options.jobsOr(60) + " jobs of 2 s on at most " + runners);
    world.submit(options.jobsOr(60), SHORT);
    world.awaitJobsDone(PATIENCE);
    world.awaitNoRunners(Duration.ofSeconds(30));
    int busy = Math.max(1, runners / 2);
    int idle = Math.max(1, runners - busy - 2);
    progress.step("scale-down among busy runners: " + busy + " busy, " + idle + " idle");
    mixed(busy, idle, Duration.ofSeconds(10));
    world.minRunners(0);
    world.awaitIdleDownTo(0, Duration.ofSeconds(30));
    world.awaitJobsDone(PATIENCE);
    world.awaitNoRunners(Duration.ofSeconds(30));
    return found;
  }

  private Found singleNamespace() {
    world.begin(0, options.runnersOr(10));
    progress.step("submitting " + options.jobsOr(20) + " jobs of 2 s");
    world.submit(options.jobsOr(20), SHORT);
    world.awaitJobsDone(PATIENCE);
    world.awaitNoRunners(Duration.ofSeconds(30));
    return found;
  }

  private void mixed(int busy, int idle, Duration length) {
    world.minRunners(idle);
    world.awaitIdle(idle);
    world.submit(busy, length);
    world.awaitBusy(busy);
    world.awaitIdle(idle);
  }

  private Found scaleDown(double lost) {
    int runners = options.runnersOr(30);
    int busy = Math.max(1, options.jobsOr(runners / 3));
    int idle = Math.max(3, runners - busy);
    if (busy + idle > runners) {
      throw new DemoException(
          "--jobs "
              + busy
              + " leaves no idle runners of --runners "
              + runners
              + ": give at least 3 runners more than jobs");
    }
    world.begin(0, runners);
    var faults = world.service().faults();
    world.service().faults(faults.withDropped("JobStarted", lost));
    progress.step(busy + " busy and " + idle + " idle runners");
    mixed(busy, idle, LONG);
    for (int target : new int[] {idle * 2 / 3, idle / 3, 0}) {
      progress.step("idle runners wanted: " + target);
      world.minRunners(target);
      world.awaitIdleDownTo(target, Duration.ofSeconds(60));
    }
    world.awaitJobsDone(PATIENCE);
    world.service().faults(faults);
    world.awaitNoRunners(Duration.ofSeconds(90));
    return found;
  }

  /** As a GitHub Enterprise Server does: jobs are offered, and marks bear a request id (DM11). */
  private Found legacy() {
    world.service().flavour(Flavour.LEGACY);
    int runners = options.runnersOr(30);
    int jobs = options.jobsOr(60);
    world.begin(0, runners);
    progress.step("offering " + jobs + " jobs of 2 s to a set of at most " + runners + " runners");
    world.submit(jobs, SHORT);
    world.await(
        "runners bear the request ids of their jobs",
        PATIENCE,
        () -> world.runners().stream().anyMatch(r -> r.statusOrNone().requestId() != null),
        world::readyMessage);
    long unnamed =
        world.runners().stream()
            .map(runner -> runner.statusOrNone())
            .filter(status -> status.jobId() != null && status.requestId() == null)
            .count();
    world.awaitJobsDone(PATIENCE);
    world.awaitNoRunners(Duration.ofSeconds(60));
    long made = world.service().counters().getOrDefault("generatejitconfig", 0L);
    found
        .equal("jobsWithoutRequestId", "every-mark-has-a-request-id", 0, unnamed)
        .equal("runnersOfBurst", "one-runner-a-job", jobs, made)
        .note("acquireCalls", world.service().counters().get("acquirejobs"));
    int busy = Math.max(1, runners / 3);
    progress.step(busy + " busy and " + (runners - busy) + " idle runners");
    mixed(busy, runners - busy, LONG);
    progress.step("scale-down to 2 idle runners; the service calls 2 of them busy when asked");
    world.service().faults(world.service().faults().withHttp(JOBS_ON_THEIR_WAY));
    world.minRunners(2);
    world.awaitIdleDownTo(2, Duration.ofSeconds(60));
    world.awaitJobsDone(PATIENCE);
    progress.step("these take the last two jobs");
    world.minRunners(0);
    world.submit(2, SHORT);
    world.awaitJobsDone(PATIENCE);
    world.awaitNoRunners(Duration.ofSeconds(60));
    long refused = world.service().counters().getOrDefault("removeRunner.fault", 0L);
    return found.equal("refusedAsBusy", "removals-refused-with-JobStillRunning", 2, refused);
  }

  private Found restart(Program program) {
    int runners = options.runnersOr(30);
    int jobs = options.jobsOr(60);
    world.begin(0, runners);
    progress.step("submitting " + jobs + " jobs of 2 s");
    world.submit(jobs, SHORT);
    world.awaitBusy(Math.max(1, Math.min(runners, jobs) / 3));
    progress.step("killing the " + program.name());
    program.kill();
    world.pass(Duration.ofSeconds(1));
    var polls = world.service().counters().getOrDefault("getMessage", 0L);
    var at = world.now();
    program.start();
    world.awaitJobsDone(PATIENCE);
    long taken = Duration.between(at, world.now()).toMillis();
    world.awaitNoRunners(Duration.ofSeconds(60));
    int most = options.scenario() == Scenario.LISTENER_RESTART ? 45_000 : 60_000;
    return found
        .note("pollsBeforeRestart", polls)
        .atMost("restartToAllDoneMs", "done-within-ms-of-restart", most, taken);
  }

  private Found burst() {
    int jobs = options.jobsOr(200);
    world.begin(0, options.runnersOr(jobs));
    progress.step("submitting " + jobs + " jobs of 5 s at once");
    world.submit(jobs, Duration.ofSeconds(5));
    world.awaitJobsDone(PATIENCE);
    world.awaitNoRunners(Duration.ofSeconds(60));
    return found;
  }

  private Found steady() {
    int jobs = options.jobsOr(120);
    world.begin(2, options.runnersOr(60));
    progress.step("submitting 4 jobs of 5 s a second, " + jobs + " in all");
    world.submitSpread(jobs, Duration.ofSeconds(5), Duration.ofMillis(jobs * 250L));
    world.awaitJobsDone(PATIENCE);
    world.pass(Duration.ofSeconds(5));
    // the two warm ones go with the set
    long removed = world.service().counters().getOrDefault("removeRunner", 0L);
    return found.equal("removedWarm", "no-warm-runner-removed", 0, removed);
  }

  private Found idle() {
    world.begin(2, options.runnersOr(20));
    world.submit(options.jobsOr(10), SHORT);
    world.awaitJobsDone(PATIENCE);
    world.awaitIdle(2);
    world.pass(Duration.ofSeconds(10));
    progress.step("60 s in which nothing happens");
    var before = world.cluster().counts();
    long callsBefore = Measure.serviceCalls(world.service().counters());
    world.pass(Duration.ofSeconds(60));
    var after = world.cluster().counts();
    long calls = Measure.serviceCalls(world.service().counters()) - callsBefore;
    var writes = after.flatMap(now -> before.map(then -> now.since(then).ours()));
    writes.ifPresent(n -> found.equal("idleWrites", "no-writes-while-idle", 0, n));
    return found.equal("idleCalls", "no-calls-while-idle", 0, calls);
  }
}
