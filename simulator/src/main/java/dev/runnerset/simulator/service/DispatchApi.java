package dev.runnerset.simulator.service;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * The REST API that starts a run of a workflow by hand (protocol 3.19). Each workflow that can be
 * dispatched has the inputs and jobs of {@code .github/workflows/real-service-jobs.yml}.
 */
final class DispatchApi {
  private static final String RUNS_ON = "runs-on";
  private static final Set<String> INPUTS = Set.of(RUNS_ON, "count", "seconds", "title");
  private static final Set<String> REFS = Set.of("main", "refs/heads/main");
  private static final int MAX_INPUT = 100_000;
  private final RepositoryAccess access;
  private final WorkflowRuns runs;

  DispatchApi(RepositoryAccess access, WorkflowRuns runs) {
    this.access = access;
    this.runs = runs;
  }

  /** Starts a run; the answer has no body and does not name it. */
  Reply dispatch(Request request) {
    var file = request.segments().get(request.segments().size() - 2);
    var body = request.json();
    return access.with(
        request,
        (repository, caller, now) ->
            repository.workflows.contains(file)
                ? refusal(body)
                    .map(message -> Reply.rest(422, message))
                    .orElseGet(() -> start(repository, file, body.path("inputs"), caller, now))
                : RepositoryAccess.notFound());
  }

  private static Optional<String> refusal(JsonNode body) {
    if (!body.hasNonNull("ref")) {
      return Optional.of("Invalid request.\n\n\"ref\" wasn't supplied.");
    }
    if (!REFS.contains(body.get("ref").asText())) {
      return Optional.of("No ref found for: " + body.get("ref").asText());
    }
    var inputs = body.path("inputs");
    var unknown = Json.array();
    inputs
        .fieldNames()
        .forEachRemaining(name -> {
          if (!INPUTS.contains(name)) {
            unknown.add(name);
          }
        });
    if (!unknown.isEmpty()) {
      return Optional.of("Unexpected inputs provided: " + Json.text(unknown));
    }
    if (inputs.path(RUNS_ON).asText().isEmpty()) {
      return Optional.of("Required input '" + RUNS_ON + "' not provided");
    }
    return number(inputs, "count").filter(count -> count > 0).isPresent()
            && number(inputs, "seconds").isPresent()
        ? Optional.empty()
        : Optional.of("count and seconds are numbers up to " + MAX_INPUT);
  }

  private static Optional<Integer> number(JsonNode inputs, String name) {
    return Numbers.parse(inputs.path(name).asText("1"))
        .filter(number -> number >= 0 && number <= MAX_INPUT);
  }

  private Reply start(
      Repositories.Repository repository,
      String file,
      JsonNode inputs,
      RestAccess.Caller caller,
      Instant now) {
    var seconds = Duration.ofSeconds(number(inputs, "seconds").orElseThrow());
    var jobs =
        JobRequest.of(number(inputs, "count").orElseThrow(), inputs.path(RUNS_ON).asText(), seconds)
            .withDisplayName("job");
    runs.dispatch(repository, file, inputs.path("title").asText(), jobs, caller.name(), now);
    return Reply.empty(204);
  }
}
