package dev.runnerset.bench.jmh;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.removal.Candidates;
import dev.runnerset.controller.removal.NodeFate;
import dev.runnerset.controller.removal.Now;
import dev.runnerset.controller.removal.RemovalPlanner;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.RunnersOfSet;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.controller.scaling.CreationBackoff;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.kube.MergePatch;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * What the controller does for an event, without the network: with the compiler of the programs,
 * for a set of 100 runners and one of 1,000.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class HotPaths {
  private static final Instant NOW = Instant.parse("2026-11-26T02:00:00Z");
  private static final Candidates ALL = Candidates.of(r -> true);
  private static final RunnerView.OfSet OF_SET = new RunnerView.OfSet(0, true, Duration.ZERO);

  /** As the API server sends it, without managedFields. */
  private static final String EVENT =
      """
      {"apiVersion":"runnerset.dev/v1alpha1","kind":"EphemeralRunner",
      "metadata":{"annotations":{"runnerset.dev/provisioned-for":"Job",
      "runnerset.dev/set-uid":"6190ddb7"},"creationTimestamp":"2026-11-26T01:59:38Z",
      "finalizers":["runnerset.dev/registration"],"generation":1,
      "labels":{"app.kubernetes.io/component":"runner","app.kubernetes.io/part-of":"runnerset",
      "runnerset.dev/revision":"feb6c76f8f","runnerset.dev/set":"linux"},"name":"linux-6bq826c9kl",
      "namespace":"demo","ownerReferences":[{"apiVersion":"runnerset.dev/v1alpha1",
      "blockOwnerDeletion":true,"controller":true,"kind":"EphemeralRunnerSet","name":"linux",
      "uid":"e1516d4a"}],"resourceVersion":"402","uid":"6b84cbfb"},
      "spec":{"githubConfigSecret":{"name":"github"},
      "githubConfigUrl":"http://127.0.0.1:37017/my-org","revision":"feb6c76f8f",
      "runnerScaleSetId":1,"setGeneration":1},
      "status":{"conditions":[{"lastTransitionTime":"2026-11-26T01:59:40Z","message":"",
      "reason":"JitConfigMade","status":"True","type":"RegistrationMade"},
      {"lastTransitionTime":"2026-11-26T01:59:40Z","message":"","reason":"Scheduled",
      "status":"True","type":"Scheduled"},{"lastTransitionTime":"2026-11-26T01:59:40Z","message":"",
      "reason":"ContainerStarted","status":"True","type":"Started"}],
      "idleSince":"2026-11-26T01:59:40.228Z","nodeName":"simulated-node","phase":"Running",
      "podName":"linux-6bq826c9kl","runnerId":5,"runnerName":"linux-6bq826c9kl",
      "timeline":{"created":"2026-11-26T01:59:38Z","scheduled":"2026-11-26T01:59:40Z",
      "started":"2026-11-26T01:59:40Z"}}}
      """;

  /** In the set. */
  @Param({"100", "1000"})
  public int runners;

  private final KubernetesSerialization serialization = new KubernetesSerialization();
  private EphemeralRunner runner = new EphemeralRunner();
  private RunnersOfSet ofSet = new RunnersOfSet(NOW);
  private int turn;

  /** Runs all of them and prints what they took. May take minutes. */
  public static void run() throws RunnerException {
    var name = HotPaths.class.getName();
    var options = new OptionsBuilder().include(name).shouldFailOnError(true).build();
    var _ = new Runner(options).run();
  }

  /** Fills the set with idle runners. */
  @Setup
  public void fill() {
    runner = serialization.unmarshal(EVENT, EphemeralRunner.class);
    var views = IntStream.range(0, runners).mapToObj(i -> view(i, false)).toList();
    ofSet = RunnersOfSet.of(views, NOW);
  }

  private RunnerView view(int number, boolean busy) {
    return new RunnerView(
        "linux-" + number,
        "uid-" + number,
        RunnerPhase.RUNNING,
        NOW.minusSeconds(number),
        true,
        NOW.minusSeconds(60),
        null,
        true,
        null,
        false,
        false,
        false,
        busy,
        null,
        null,
        false,
        RunnerView.Removal.NONE,
        false,
        false,
        NodeFate.STAYS,
        runner,
        OF_SET);
  }

  /** An event as text to an object. */
  @Benchmark
  public EphemeralRunner parsesAnEvent() {
    return serialization.unmarshal(EVENT, EphemeralRunner.class);
  }

  /** A status patch from the status before and after. */
  @Benchmark
  public Optional<ObjectNode> makesAPatch() {
    var before = runner.statusOrNone();
    EphemeralRunnerStatus after = before.toBuilder().nodeName("other").build();
    return MergePatch.between(before, after);
  }

  /** One runner of the set becomes busy, or idle: what is kept of the set follows. */
  @Benchmark
  public int takesAnEvent() {
    turn++;
    ofSet.put(view(turn % runners, (turn / runners) % 2 == 0));
    return moment().live();
  }

  /** Chooses who goes first. */
  @Benchmark
  public List<RunnerView> choosesWhoGoes() {
    return RemovalPlanner.first(ALL, 10, moment());
  }

  private SetMoment moment() {
    return new SetMoment(
        new EphemeralRunnerSet(),
        ofSet,
        true,
        CreationBackoff.NONE,
        false,
        null,
        10,
        null,
        0,
        0,
        new Memories().of("set"),
        new Now(NOW));
  }
}
