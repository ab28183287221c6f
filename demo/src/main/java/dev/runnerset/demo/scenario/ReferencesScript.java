package dev.runnerset.demo.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.demo.figures.Found;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.world.World;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Looks at the references of a set while its runners come and go and their form is changed. */
final class ReferencesScript {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** The script ends its jobs once it has read the references. */
  private static final Duration JOB = Duration.ofHours(1);

  private static final int QUIET_SECONDS = 4;
  private static final int WARM = 3;

  private final World world;
  private final DemoOptions options;
  private final Progress progress;
  private final Found found;
  private final ObjectMapper json = new ObjectMapper();
  private long wrongLists;
  private long wrongListsOfTheSet;
  private long staleFields;
  private long unexplained;
  private long forDemand;
  private long bytesAReference;

  /** What was read at one time. */
  private record Look(JsonNode set, JsonNode parent, List<String> live, List<String> ofSet) {
    boolean isRight(boolean references, boolean full) {
      return areListsRight(references, full)
          && isSetRight(references)
          && staleFields(references, full) == 0;
    }

    boolean areListsRight(boolean references, boolean full) {
      return (!references || namesIn(parent).equals(live))
          && (!full || fullNames().equals(new TreeSet<>(live)));
    }

    boolean isSetRight(boolean references) {
      return namesIn(set).equals(references ? ofSet : List.of());
    }

    int staleFields(boolean references, boolean full) {
      return (parent.has("childReferences") && !references ? 1 : 0)
          + (parent.has("runnerStatuses") && !full ? 1 : 0);
    }

    private TreeSet<String> fullNames() {
      var names = new TreeSet<String>();
      parent.path("runnerStatuses").fieldNames().forEachRemaining(names::add);
      return names;
    }

    private static List<String> namesIn(JsonNode status) {
      return status.path("childReferences").findValuesAsText("name");
    }
  }

  ReferencesScript(World world, DemoOptions options, Progress progress, Found found) {
    this.world = world;
    this.options = options;
    this.progress = progress;
    this.found = found;
  }

  /** What was found, from the API server's own objects. */
  Found run() {
    int jobs = options.jobsOr(12);
    world.begin(WARM, options.runnersOr(jobs + WARM));
    look("minimal");
    progress.step(jobs + " jobs that run until they are ended");
    world.submit(jobs, JOB);
    world.awaitBusy(jobs);
    look("minimal");
    // a runner counts as idle some seconds after its container runs (RN7)
    world.settle(() -> {
      var counts = read().parent().path("runners");
      return counts.path("busy").asInt() == jobs && counts.path("idle").asInt() == WARM;
    });
    var parentWritesInQuiet = quiet();
    for (var form : List.of("both", "FULL", "minimal")) {
      progress.step("the controller starts again with --embedded-status " + form);
      world.controller().restartWith("--embedded-status", form);
      look(form);
    }
    world.endJobs();
    world.awaitJobsDone(PATIENCE);
    look("minimal");
    world.minRunners(0);
    world.awaitNoRunners(PATIENCE);
    look("minimal");
    found
        .equal("wrongLists", "references-are-the-live-runners-in-order", 0, wrongLists)
        .equal("wrongListsOfTheSet", "the-set-names-its-two-children", 0, wrongListsOfTheSet)
        .equal("staleFields", "nothing-stale-after-a-switch", 0, staleFields)
        .equal("unexplained", "every-reference-says-why", 0, unexplained)
        .atLeast("forDemand", "some-are-for-demand", 1, forDemand)
        .atMost("bytesAReference", "bytes-a-reference", 200, bytesAReference);
    parentWritesInQuiet.ifPresent(
        n -> found.equal("parentWritesInQuiet", "changes-of-runners-write-no-parent", 0, n));
    return found;
  }

  /** Waits until the statuses say what there is, for as long as it may take; else it is wrong. */
  private void look(String form) {
    boolean references = !form.equalsIgnoreCase("full");
    boolean full = !form.equals("minimal");
    var looks = new Look[] {read()};
    world.settle(() -> {
      looks[0] = read();
      return looks[0].isRight(references, full);
    });
    var last = looks[0];
    wrongLists += last.areListsRight(references, full) ? 0 : 1;
    wrongListsOfTheSet += last.isSetRight(references) ? 0 : 1;
    staleFields += last.staleFields(references, full);
    var revision = last.set().path("revision").asText();
    for (var reference : last.parent().path("childReferences")) {
      explain(reference, revision);
    }
  }

  private void explain(JsonNode reference, String revision) {
    var why = reference.path("provisionedFor").asText();
    unexplained += why.equals("Demand") || why.equals("MinRunners") ? 0 : 1;
    unexplained += reference.path("revision").asText().equals(revision) ? 0 : 1;
    forDemand += why.equals("Demand") ? 1 : 0;
    bytesAReference = Math.max(bytesAReference, reference.toString().length());
  }

  /**
   * Runners say something new again and again, but none comes, goes, starts or ends.
   *
   * @return our status writes of the runners' parent meanwhile; empty where they cannot be counted
   */
  private Optional<Long> quiet() {
    progress.step("the runners' statuses change, their number does not");
    world.pass(Duration.ofSeconds(2));
    var before = world.cluster().counts();
    var kube = new KubeApi(world.kube());
    for (int second = 0; second < QUIET_SECONDS; second++) {
      for (var runner : world.runners()) {
        if (!runner.statusOrNone().isBusy()) {
          continue;
        }
        var status = JsonNodeFactory.instance.objectNode();
        status.putObject("job").put("displayName", "step " + second);
        kube.mergeStatus(EphemeralRunner.class, Resource.of(runner), status);
      }
      world.pass(Duration.ofSeconds(1));
    }
    var after = world.cluster().counts();
    return after.flatMap(now -> before.map(then -> now.since(then).onStatusesOfRunnerSets()));
  }

  private Look read() {
    return new Look(
        status(AutoScalingRunnerSet.class),
        status(EphemeralRunnerSet.class),
        world.runners().stream().map(runner -> runner.getMetadata().getName()).toList(),
        world
            .kube()
            .resources(AutoScalingListener.class)
            .inAnyNamespace()
            .withLabel(Labels.SET, World.SET)
            .list()
            .getItems()
            .stream()
            .map(listener -> List.of(World.SET, listener.getMetadata().getName()))
            .findFirst()
            .orElse(List.of(World.SET)));
  }

  private JsonNode status(Class<? extends HasMetadata> kind) {
    var path =
        "/apis/%s/namespaces/%s/%s/%s"
            .formatted(
                HasMetadata.getApiVersion(kind),
                World.NAMESPACE,
                HasMetadata.getPlural(kind),
                World.SET);
    try {
      return json.readTree(world.kube().raw(path)).path("status");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
