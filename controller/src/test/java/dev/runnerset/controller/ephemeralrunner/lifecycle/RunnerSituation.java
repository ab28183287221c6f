package dev.runnerset.controller.ephemeralrunner.lifecycle;

import static dev.runnerset.controller.removal.Situation.NOW;
import static java.util.Objects.requireNonNullElse;

import dev.runnerset.controller.removal.Situation;
import dev.runnerset.controller.removal.Word;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetSpecBuilder;
import dev.runnerset.crds.EphemeralRunnerSetStatusBuilder;
import dev.runnerset.crds.EphemeralRunnerSpec;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.NameReference;
import dev.runnerset.crds.Protection;
import dev.runnerset.crds.Retention;
import dev.runnerset.crds.RunnerFailure;
import dev.runnerset.crds.RunnerJob;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.RunnerRemoval;
import dev.runnerset.crds.RunnerRetention;
import dev.runnerset.crds.StoredTemplate;
import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerReason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One runner, its pod and its set, in the words of {@link Situation}, in any order: {@code busy
 * exited0@-29 set=none}. What no word says is given as an object.
 */
public final class RunnerSituation {
  private boolean deleted;
  private boolean podDeleted;
  private String disruption = "";
  private @Nullable RunnerJob job;
  private PodView.@Nullable Obstacle obstacle;
  private boolean initializing;
  private boolean sandboxReady;
  private @Nullable PodTemplateSpec own;
  private @Nullable RunnerPhase phase;
  private @Nullable String podName;
  private boolean busy;
  private boolean ageless;
  private @Nullable Long completedIn;
  private @Nullable Instant suspectUntil;
  private int refusals = 1;
  private PodView.@Nullable RunnerContainer container;
  private String podPhase = "";
  private String podReason = "";
  private long podMadeAt = -60;
  private RunnerMemory memory = RunnerMemory.NONE;
  private @Nullable RunnerExit exit;
  private boolean gone;
  private long runnerId = 7;
  private Map<String, String> annotations = Map.of();
  private final List<Condition> conditions = new ArrayList<>();
  private @Nullable RunnerRetention retention;
  private @Nullable RunnerFailure failure;
  private @Nullable String jobResult;
  private @Nullable String version;
  private List<String> finalizers = List.of();
  private ShieldMarks marks = new ShieldMarks(Protection.BUSY, false, "ci");
  private boolean withoutSet;
  private boolean setDeleted;
  private String setUid = "set-uid";
  private String setRevision = "r1";
  private long setGeneration = 3;
  private int scaleSet = 1;
  private long message = 5;
  private @Nullable Retention live;
  private @Nullable Protection protection;

  public static RunnerSituation of(@Nullable String words) {
    return new RunnerSituation().and(requireNonNullElse(words, ""));
  }

  public static Instant at(long seconds) {
    return NOW.plusSeconds(seconds);
  }

  /** What else is so. */
  public RunnerSituation and(String words) {
    Word.split(words, " +").forEach(word -> read(Word.of(word)));
    return this;
  }

  private void read(Word word) {
    switch (word.name()) {
      // its status
      case "ageless" -> { // running, and nobody knows since when it is idle
        ageless = true;
        phase(RunnerPhase.RUNNING);
      }
      case "busy" -> busy = true;
      case "done" -> {
        busy = true;
        completedIn = (long) word.number();
      }
      case "suspect" -> suspectUntil = word.time();
      case "refusals" -> refusals = word.number();
      case "registeredAs" -> runnerId = word.number(); // its pod runs 7
      case "registrationGone" -> gone = true;
      case "jobResult" -> jobResult = word.text(0);
      case "over" -> over(RunnerPhase.valueOf(word.text(0)), word.text(1));
      case "overdue" -> { // ended for a deadline of its start
        failure = RunnerStatuses.failure(RunnerReason.valueOf(word.text(0)), "m", null);
        over(RunnerPhase.FAILED, "deregistered");
      }
      case "reportedForbidden" ->
          report(
              ConditionType.SCHEDULED,
              Value.FALSE,
              RunnerReason.POD_FORBIDDEN,
              "denied by a policy",
              -1);
      // its resource
      case "terminating" -> deleted = true;
      case "foreground" -> finalizers = List.of("foregroundDeletion");
      case "forced" -> annotations = Map.of(Labels.FORCE_DELETE, "true");
      case "pinned" -> annotations = Map.of(Labels.RETAIN, "true");
      case "ttl" -> retention = new RunnerRetention(word.part(0), word.part(1));
      case "version" -> version = word.text(0);
      case "standalone" -> {
        own = template(word.text(0));
        withoutSet = true;
      }
      // its set
      case "set" -> set(word);
      case "setRegisteredAgain" -> {
        scaleSet = 2;
        setGeneration = word.number();
      }
      case "setDeleted" -> setDeleted = true;
      case "message" -> message = word.number();
      case "protection" -> protection = word.constant(Protection.class);
      case "limits" ->
          live = new Retention(null, null, word.integer(0), word.integer(1), null, null);
      case "byJob" ->
          live =
              new Retention(
                  null, null, word.integer(0), word.integer(1), null, Retention.OutcomeFrom.JOB);
      case "pods" ->
          live = new Retention(null, null, 5, 5, word.constant(Retention.PodPolicy.class), null);
      // what this process remembers
      case "made" -> memory = memory.made(7L, word.time()); // its pod
      case "failedBefore" ->
          failed(
              ConditionType.valueOf(word.text(0)),
              AccessReason.SERVICE_UNAVAILABLE,
              "m",
              null,
              word.at());
      case "forbidden" -> { // the server refused its pod, first and last then
        for (int part : new int[] {0, 0, 0, 0, 1}) {
          failed(
              ConditionType.SCHEDULED,
              RunnerReason.POD_FORBIDDEN,
              "denied by a policy",
              null,
              word.time(part));
        }
      }
      case "quota" -> { // registered, and a quota had no room for its pod, first and last then
        memory = memory.with(memory.start().prepared(7L));
        for (int part : new int[] {0, 1}) {
          failed(
              ConditionType.SCHEDULED,
              RunnerReason.POD_OVER_QUOTA,
              "exceeded quota",
              Duration.ofSeconds(5),
              word.time(part));
        }
      }
      case "notBegun" -> // since then, as a quota refuses another one of its set
          memory =
              memory.with(
                  memory
                      .start()
                      .waiting(
                          new StartProblem(
                              ConditionType.SCHEDULED,
                              RunnerReason.WAITS_FOR_QUOTA,
                              "exceeded quota",
                              word.time(0)),
                          word.time(1)));
      case "parked" -> memory = memory.with(memory.start().parked(7L));
      case "uncertain" -> memory = memory.with(memory.start().uncertain(7L));
      case "prepared" -> memory = memory.with(memory.start().prepared(7L));
      case "creating" -> waitingFor(RunnerReason.CONTAINER_CREATING, word);
      case "withoutImage" -> waitingFor(RunnerReason.IMAGE_PULL_BACK_OFF, word);
      case "offline" -> memory = memory.judged(true, null); // its set says so
      case "open" -> memory = memory.judged(false, word.isTrue(0)); // needs no shield
      case "failing" -> { // so often, each time then
        for (int i = 0; i < word.number(); i++) {
          memory = memory.with(memory.removal().failed(word.at(), false));
        }
      }
      case "credentialsLost" -> memory = memory.with(memory.removal().failed(word.time(), true));
      case "answered" -> memory = memory.with(memory.removal().answered(word.time()));
      case "refused" -> memory = memory.with(memory.removal().refused(word.time(), false));
      case "refusedAfterJob" -> memory = memory.with(memory.removal().refused(word.time(), true));
      case "leftItsRegistration" -> memory = memory.with(memory.removal().removed(NOW, true));
      case "exitKnown" -> exit = new RunnerExit(word.at(), word.number());
      case "exitOfDeletedPod" -> exit = new RunnerExit(word.at(), word.number(), true);
      // its pod
      case "running" -> // its node says since when
          pod(
              "Running",
              "",
              new PodView.RunnerContainer.Running(word.given().isEmpty() ? at(-5) : word.time()));
      case "runningInPod" -> // the pod as a whole says one thing, and its container runs
          pod(word.text(0), word.text(1), new PodView.RunnerContainer.Running(at(-5)));
      case "exited" -> { // this process saw it end then, and the clock of its node agrees
        exit = new RunnerExit(word.at(), word.number());
        datedByItsNode(word);
      }
      case "datedByItsNode" -> datedByItsNode(word); // this process sees it now
      case "exitedInPod" ->
          pod(
              word.text(0),
              word.text(1),
              new PodView.RunnerContainer.Terminated(
                  Integer.parseInt(word.text(2)), "Error", "", null, at(-1)));
      case "podOver" -> // its status says nothing of the runner's container
          pod(word.text(0), word.text(1), new PodView.RunnerContainer.Waiting("", ""));
      case "waiting" -> {
        podMadeAt = Duration.between(NOW, word.at()).toSeconds();
        pod("Pending", "", new PodView.RunnerContainer.Waiting(word.text(0), "m"));
      }
      case "obstacle" -> // of another container
          obstacle =
              new PodView.Obstacle(
                  word.text(0).replace('_', ' '), "tools", word.text(1), word.text(2));
      case "initializing" -> initializing = true;
      case "sandboxReady" -> sandboxReady = true;
      case "marks" ->
          marks = new ShieldMarks(word.constant(Protection.class), word.isTrue(1), marks.set());
      case "withoutSetLabel" -> marks = new ShieldMarks(marks.protection(), marks.busy(), null);
      case "disruptedBy" -> disruption = word.text(0);
      case "podDeleted" -> podDeleted = true;
      default -> phase(RunnerPhase.valueOf(word.name()));
    }
  }

  /** Revision, generation, and its uid if that is another one. */
  private void set(Word word) {
    withoutSet = word.given().equals("none");
    if (!withoutSet) {
      setRevision = word.text(0);
      setGeneration = Long.parseLong(word.text(1));
      setUid = word.part(2) == null ? "set-uid" : word.text(2);
    }
  }

  private void phase(RunnerPhase value) {
    phase = value;
    podName = "ci-1";
  }

  /** Ended as its status says, and whether that says that nothing is left of it at the service. */
  private void over(RunnerPhase end, String deregistered) {
    phase(end);
    var reason = new Reason.Mirrored("r");
    report(ConditionType.SUCCEEDED, Value.of(end == RunnerPhase.SUCCEEDED), reason, "", -5);
    if (!deregistered.isEmpty()) {
      report(
          ConditionType.REGISTRATION_MADE,
          Value.FALSE,
          RunnerReason.DEREGISTERED,
          "the runner has ended",
          -5);
    }
  }

  private void report(ConditionType type, Value value, Reason reason, String text, long seconds) {
    conditions.add(StatusConditions.build(List.of(), type, value, reason, text, null, at(seconds)));
  }

  private void failed(
      ConditionType type, Reason reason, String text, @Nullable Duration wait, Instant when) {
    memory = memory.with(memory.start().failed(new StartProblem(type, reason, text, when), wait));
  }

  private void waitingFor(RunnerReason reason, Word since) {
    var problem = new StartProblem(ConditionType.STARTED, reason, "m", since.time());
    memory = memory.with(memory.start().waitingFor(problem));
  }

  private void datedByItsNode(Word word) {
    var end = word.at();
    pod(
        "Running",
        "",
        new PodView.RunnerContainer.Terminated(
            word.number(), word.text(1), "", end.minusSeconds(60), end));
  }

  private void pod(String wholePhase, String reason, PodView.RunnerContainer value) {
    podPhase = wholePhase;
    podReason = reason;
    container = value;
  }

  /** The set's rules as they are now. */
  public RunnerSituation live(Retention block) {
    live = block;
    return this;
  }

  public RunnerSituation memory(RunnerMemory value) {
    memory = value;
    return this;
  }

  /** A condition that is in the status. */
  public RunnerSituation reported(Condition condition) {
    conditions.add(condition);
    return this;
  }

  /** Busy, and this is known of its job. */
  public RunnerSituation job(RunnerJob known) {
    job = known;
    return and("busy");
  }

  public static PodTemplateSpec template(String container) {
    return new PodTemplateSpecBuilder()
        .withNewSpec()
        .addNewContainer()
        .withName(container)
        .withImage("i")
        .endContainer()
        .endSpec()
        .build();
  }

  /** Its set, as most situations have it. */
  public static EphemeralRunnerSet ofOneRunner() {
    var set = new RunnerSituation().set();
    if (set == null) {
      throw new IllegalStateException("a situation has a set unless a word says otherwise");
    }
    return set;
  }

  private @Nullable EphemeralRunnerSet set() {
    if (withoutSet) {
      return null;
    }
    var set = new EphemeralRunnerSet();
    set.setMetadata(
        new ObjectMetaBuilder()
            .withName("ci")
            .withUid(setUid)
            .withGeneration(setGeneration)
            .withDeletionTimestamp(setDeleted ? at(-60).toString() : null)
            .build());
    set.setSpec(
        EphemeralRunnerSetSpecBuilder.builder()
            .replicas(1)
            .revision(setRevision)
            .githubConfigUrl("https://github.com/o")
            .githubConfigSecret(new NameReference("s"))
            .runnerScaleSetId(scaleSet)
            .retention(live)
            .protection(protection)
            .template(StoredTemplate.of(template("runner")))
            .build());
    var demand = new Demand(1, message, null, 1, 0, null, null, null, null, null, null);
    set.setStatus(EphemeralRunnerSetStatusBuilder.builder().demand(demand).build());
    return set;
  }

  private @Nullable PodView pod() {
    return container == null
        ? null
        : new PodView(
            "ci-1",
            "uid-1",
            7L,
            marks,
            at(podMadeAt),
            "node-1",
            podDeleted,
            podPhase,
            podReason,
            "",
            disruption,
            new PodView.Placement(true, "", "", at(podMadeAt)),
            container,
            obstacle,
            initializing,
            sandboxReady);
  }

  public ObservedRunner observed() {
    var runner = new EphemeralRunner();
    runner.setMetadata(
        new ObjectMetaBuilder()
            .withName("ci-1")
            .withNamespace("ns")
            .withUid("uid-1")
            .withResourceVersion(version)
            .withCreationTimestamp(at(-1).toString())
            .withLabels(Map.of(Labels.SET, "ci"))
            .withAnnotations(annotations)
            .withDeletionTimestamp(deleted ? at(-1).toString() : null)
            .withFinalizers(finalizers)
            .addToFinalizers(Labels.RUNNER_FINALIZER)
            .withOwnerReferences(new OwnerReferenceBuilder().withUid("set-uid").build())
            .build());
    runner.setSpec(
        EphemeralRunnerSpec.builder("https://github.com/o", new NameReference("s"), 1)
            .revision("r1")
            .setGeneration(3L)
            .retention(retention)
            .template(own == null ? null : StoredTemplate.of(own))
            .build());
    runner.setStatus(
        EphemeralRunnerStatus.builder()
            .phase(phase)
            .conditions(conditions)
            .runnerId(podName == null && !gone ? null : runnerId)
            .podName(podName)
            .jobId(busy ? "job" : null)
            .job(
                completedIn != null
                    ? new RunnerJob(null, null, null, null, null, null, completedIn)
                    : job)
            .jobResult(jobResult)
            .failure(failure)
            .idleSince(phase == RunnerPhase.RUNNING && !ageless ? at(-5) : null)
            .removal(suspectUntil == null ? null : new RunnerRemoval(suspectUntil, refusals))
            .build());
    return new ObservedRunner(runner, pod(), set(), memory, exit, id -> gone && id == 7, NOW);
  }

  /** The decision in words: actions, and in how many milliseconds to look again. */
  public static String words(RunnerDecision decision) {
    var words = new StringBuilder();
    for (var action : decision.actions()) {
      words.append(words.isEmpty() ? "" : " ").append(words(action));
    }
    if (decision.requeue().at() != null) {
      var millis = decision.requeue().at().toEpochMilli() - NOW.toEpochMilli();
      words.append(words.isEmpty() ? "" : " ").append("again+").append(millis);
    }
    return words.isEmpty() ? "nothing" : words.toString();
  }

  private static String words(RunnerAction action) {
    return switch (action) {
      case RunnerAction.Start(var template) ->
          "start:" + template.getSpec().getContainers().getFirst().getName();
      case RunnerAction.GiveUp() -> "give-up";
      case RunnerAction.Replace(var why) -> "replace";
      case RunnerAction.ConfirmLoss() -> "confirm-loss";
      case RunnerAction.ReportLoss() -> "lost";
      case RunnerAction.WriteStatus(var status) ->
          status.phase()
              + (status.failure() == null ? "" : ":" + status.failure().reason())
              + (StatusConditions.isFalse(status.conditions(), ConditionType.STARTED)
                  ? ":reported"
                  : "");
      case RunnerAction.NoteExit(var exit) -> "exit" + exit.exitCode();
      case RunnerAction.NoteProblem(var problem) -> "note:" + problem.reason().word();
      case RunnerAction.DeletePod() -> "delete-pod";
      case RunnerAction.ReportWaiting _ -> "job";
      case RunnerAction.LeaveRegistration() -> "give-up";
      case RunnerAction.RemoveFinalizer _ -> "go";
      case RunnerAction.RemoveRegistration(var reason) ->
          switch (reason) {
            case ENDED, POD_GONE, RUNNER_DELETED -> "ask";
            case START_OVERDUE -> "remove";
            case ENDED_BY_DELETION -> "look-early";
            default -> "look-and-ask";
          };
    };
  }
}
