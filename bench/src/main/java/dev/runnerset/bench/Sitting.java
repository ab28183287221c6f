package dev.runnerset.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runnerset.bench.Row.Side;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.demo.cluster.RealCluster;
import dev.runnerset.demo.progress.DemoException;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.world.Setting;
import dev.runnerset.demo.world.World;
import dev.runnerset.simulator.service.JobRequest;
import dev.runnerset.testcluster.Audit;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Measures cells one after the other on one control plane: ours, just started and once more, then
 * the bound, all with the same simulated service and node.
 */
final class Sitting implements AutoCloseable {
  private static final String BOUND = "bound";
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration JOB = Duration.ofSeconds(5);
  private static final Duration LONG_JOB = Duration.ofMinutes(10);
  private static final Duration PATIENCE = Duration.ofMinutes(8);

  /** Rehearsals renew theirs several times a second, which would be measured, too. */
  private static final Setting LEASES_OF_A_DEPLOYMENT = Setting.USUAL.withLease();

  /** The set of the single jobs beside a burst, their number, and the time over which they come. */
  static final String SINGLE = "single";

  static final int SINGLES = 10;
  private static final Duration SINGLES_TAKE = Duration.ofSeconds(20);

  /** Runners with a job, of which none may go while others do. */
  private static final int BUSY = 20;

  /** For what still takes processor time after the last pod is gone. */
  private static final Duration LATE_WORK = Duration.ofSeconds(2);

  private final Path folder;
  private final Profiles profiles;
  private final Progress progress;
  private final Clock clock;
  private final RealCluster cluster;
  private final Audit audit;
  private final Quiet quiet;
  private @Nullable Shapes shapes;
  private int bounds;

  /**
   * Starts the control plane.
   *
   * @param folder for logs and other files
   */
  Sitting(Path folder, Profiles profiles, Progress progress, Clock clock) throws IOException {
    this.folder = folder;
    this.profiles = profiles;
    this.progress = progress;
    this.clock = clock;
    cluster = new RealCluster(false, folder);
    audit = cluster.server().auditFromNow();
    quiet = new Quiet(cluster.server().auditFromNow());
  }

  /**
   * Measures a cell. May take minutes.
   *
   * @param run which repetition it is
   * @param warm whether both programs do it once more
   * @return ours first, the bound last
   */
  List<Row> run(Cell cell, int run, boolean warm) throws IOException {
    progress.step(cell.word() + ", run " + run + ": both programs start");
    var rows = new ArrayList<Row>();
    try (var world = new World(cluster, LEASES_OF_A_DEPLOYMENT, folder, progress, clock)) {
      profiles.record(world);
      world.start();
      world.prepare();
      var names = sets(world, cell);
      rows.add(ours(world, cell, Side.COLD, run, names));
      if (warm && cell.jobs() > 0) {
        rows.add(ours(world, cell, Side.WARM, run, names));
      }
      profiles.dump(cell.word() + "-" + run);
      world.endJobs();
      world.awaitJobsDone(PATIENCE);
      deleteSets(world);
      world.listener().close();
      world.controller().close();
      if (cell.hasBound()) {
        rows.add(bound(world, cell, run));
      }
    }
    return rows;
  }

  /** Makes the sets of a cell, and waits until they are ready; their names. */
  private static List<String> sets(World world, Cell cell) {
    boolean many = List.of(Cell.Kind.SETS, Cell.Kind.IDLE_SETS).contains(cell.kind());
    var names =
        switch (cell.kind()) {
          case SETS, IDLE_SETS ->
              IntStream.range(0, cell.size()).mapToObj(i -> World.SET + "-" + i).toList();
          case BESIDE -> List.of(World.SET, SINGLE);
          case BURST, STEADY, SCALE_DOWN, IDLE, JMH -> List.of(World.SET);
        };
    int warm = cell.jobs() > 0 || many ? 0 : cell.size();
    int most = many ? 1 : Math.min(2_000, 2 * cell.jobs() + warm + BUSY);
    names.forEach(name -> world.makeSet(name, warm, most));
    names.forEach(world::awaitListening);
    world.awaitIdle(warm);
    return names;
  }

  private Row ours(World world, Cell cell, Side side, int run, List<String> names) {
    if (cell.kind() == Cell.Kind.SCALE_DOWN) {
      world.submit(BUSY, LONG_JOB);
      world.awaitBusy(BUSY);
      world.awaitIdle(cell.size());
    }
    if (cell.kind() == Cell.Kind.BESIDE) {
      submitSingles(world);
      finish(world, world.controller()::isAlive);
    }
    Runnable work =
        () -> {
          switch (cell.kind()) {
            case BURST, STEADY, SETS -> {
              submit(world, cell, names);
              if (shapes == null) {
                shapes = Shapes.take(world, BOUND, owner(world));
              }
              finish(world, world.controller()::isAlive);
            }
            case BESIDE -> {
              submit(world, cell, List.of(World.SET));
              submitSingles(world);
              finish(world, world.controller()::isAlive);
            }
            case SCALE_DOWN -> {
              world.minRunners(0);
              world.await("pods go", PATIENCE, () -> pods(world) <= BUSY, world::readyMessage);
            }
            case IDLE, IDLE_SETS -> world.pass(Cell.REST);
            case JMH -> throw new IllegalArgumentException("needs no control plane");
          }
        };
    return measure(world, cell, side, run, work);
  }

  private static long pods(World world) {
    return world.node().timings().stream().filter(pod -> pod.gone() == null).count();
  }

  private static void submit(World world, Cell cell, List<String> names) {
    int each = cell.jobs() / names.size();
    var spread = cell.kind() == Cell.Kind.STEADY ? Cell.STEADY : Duration.ZERO;
    for (var name : names) {
      world.service().submit(JobRequest.of(each, name, JOB).withSpread(spread));
    }
  }

  private static void submitSingles(World world) {
    world.service().submit(JobRequest.of(SINGLES, SINGLE, JOB).withSpread(SINGLES_TAKE));
  }

  private static void finish(World world, BooleanSupplier alive) {
    world.await(
        "all jobs are done",
        PATIENCE,
        () -> {
          var jobs = world.service().jobCounts();
          if (!alive.getAsBoolean()) {
            throw new DemoException("who does the jobs has ended: read its log");
          }
          return jobs.completed() == jobs.submitted();
        },
        () -> world.service().jobCounts().toString());
    world.awaitNoRunners(PATIENCE);
    world.pass(LATE_WORK);
  }

  private Row measure(World world, Cell cell, Side side, int run, Runnable work) {
    progress.step(cell.word() + ", run " + run + ": " + side.words());
    quiet.await(world);
    var meter = new Meter(world, audit);
    profiles.sample(world.kube(), cell.word() + "-" + run + "-" + side, cell.time());
    work.run();
    meter.stop();
    if (cell.hasEnd()) {
      quiet.await(world);
    }
    progress.clear();
    return meter.row(cell, side, run);
  }

  private static void deleteSets(World world) {
    var sets = world.kube().resources(AutoScalingRunnerSet.class).inNamespace(World.NAMESPACE);
    var _ = sets.delete();
    world.await(
        "the sets are deleted",
        PATIENCE,
        () -> sets.list().getItems().isEmpty(),
        world::readyMessage);
  }

  private Row bound(World world, Cell cell, int run) throws IOException {
    var set = BOUND + "-" + ++bounds;
    var taken = Objects.requireNonNull(shapes);
    var budget = world.kube().resource(taken.budget());
    var _ = budget.createOr(there -> there.update());
    var process = start(world, set, taken);
    try {
      world.awaitListening(set);
      submit(world, Cell.BURST_30, List.of(set)); // not counted: its code is compiled meanwhile
      finish(world, process::isAlive);
      Runnable work =
          () -> {
            submit(world, cell, List.of(set));
            finish(world, process::isAlive);
          };
      return measure(world, cell, Side.BOUND, run, work);
    } finally {
      process.destroy();
      var _ = budget.delete();
    }
  }

  /** Starts the bound as the programs are started, with the rights of the controller. */
  private Process start(World world, String set, Shapes taken) throws IOException {
    var config = Config.fromKubeconfig(cluster.controllerKubeconfig().toFile());
    var order =
        new Bound.Order(
            config.getMasterUrl(),
            config.getCaCertData(),
            config.getAutoOAuthToken(),
            world.configUrl("my-org"),
            World.TOKEN,
            BOUND,
            set,
            taken);
    var file = folder.resolve("bound.json");
    JSON.writeValue(file.toFile(), order);
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var command = new ArrayList<>(List.of(java, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-Xmx256m", "-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(Bound.class.getName(), file.toString()));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(Redirect.appendTo(folder.resolve("bound.log").toFile()))
        .start();
  }

  /** Makes the bound's namespace, and in it what owns its runners; the uid of that. */
  private static String owner(World world) {
    var namespace = new NamespaceBuilder().withNewMetadata().withName(BOUND).endMetadata().build();
    world.kube().resource(namespace).createOr(there -> there.update());
    world.admit(BOUND);
    var map = new ConfigMapBuilder().withNewMetadata().withName(BOUND).endMetadata().build();
    var maps = world.kube().configMaps().inNamespace(BOUND);
    return maps.resource(map).create().getMetadata().getUid();
  }

  @Override
  public void close() {
    cluster.close();
  }
}
