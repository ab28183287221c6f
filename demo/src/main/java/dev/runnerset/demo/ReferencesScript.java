package dev.runnerset.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Looks at the references of a set while its runners come and go and their form is changed. */
final class ReferencesScript {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String STATUS =
      "/apis/runnerset.dev/v1alpha1/namespaces/%s/ephemeralrunnersets/%s"
          .formatted(World.NAMESPACE, World.SET);

  private final World world;
  private final DemoOptions options;
  private final Progress progress;
  private final ObjectMapper json = new ObjectMapper();
  private final Map<String, Long> found = new LinkedHashMap<>();

  ReferencesScript(World world, DemoOptions options, Progress progress) {
    this.world = world;
    this.options = options;
    this.progress = progress;
    for (var figure : List.of("looks", "wrongLists", "staleFields", "unexplained", "forDemand")) {
      found.put(figure, 0L);
    }
  }

  /** What was found, from the API server's own objects. */
  Map<String, Long> run() {
    int jobs = options.jobsOr(12);
    world.begin(3, options.runnersOr(jobs + 3));
    look("minimal");
    progress.step(jobs + " jobs of 20 s");
    world.submit(jobs, Duration.ofSeconds(20));
    world.awaitBusy(jobs);
    look("minimal");
    for (var form : List.of("both", "FULL", "minimal")) {
      progress.step("the controller starts anew with --embedded-status " + form);
      world.controller().restartWith("--embedded-status", form);
      look(form);
    }
    world.awaitJobsDone(PATIENCE);
    look("minimal");
    world.minRunners(0);
    world.awaitNoRunners(PATIENCE);
    look("minimal");
    return found;
  }

  /** Waits until the status says what there is, for as long as it may take; else it is wrong. */
  private void look(String form) {
    boolean references = !form.equalsIgnoreCase("full");
    boolean full = !form.equals("minimal");
    add("looks", 1);
    world.settle(() -> isRight(references, full));
    var status = status();
    if (references && !names(status).equals(live())) {
      add("wrongLists", 1);
    }
    if (full && !fullNames(status).equals(new TreeSet<>(live()))) {
      add("wrongLists", 1);
    }
    add("staleFields", status.has("childReferences") && !references ? 1 : 0);
    add("staleFields", status.has("runnerStatuses") && !full ? 1 : 0);
    for (var reference : status.path("childReferences")) {
      explain(reference);
    }
  }

  private void explain(JsonNode reference) {
    var why = reference.path("provisionedFor").asText();
    add("unexplained", why.equals("Demand") || why.equals("MinRunners") ? 0 : 1);
    add("unexplained", reference.path("revision").asText().isEmpty() ? 1 : 0);
    add("forDemand", why.equals("Demand") ? 1 : 0);
    found.merge("bytesAReference", (long) reference.toString().length(), Math::max);
  }

  private boolean isRight(boolean references, boolean full) {
    var status = status();
    var live = live();
    return names(status).equals(references ? live : List.of())
        && status.has("runnerStatuses") == full
        && (!full || fullNames(status).equals(new TreeSet<>(live)));
  }

  private void add(String figure, long more) {
    found.merge(figure, more, Long::sum);
  }

  private JsonNode status() {
    try {
      return json.readTree(world.kube().raw(STATUS)).path("status");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> names(JsonNode status) {
    return status.path("childReferences").findValuesAsText("name");
  }

  private static TreeSet<String> fullNames(JsonNode status) {
    var names = new TreeSet<String>();
    status.path("runnerStatuses").fieldNames().forEachRemaining(names::add);
    return names;
  }

  private List<String> live() {
    return world.runners().stream().map(runner -> runner.getMetadata().getName()).toList();
  }
}
