package dev.runnerset.controller.ephemeralrunner.lifecycle;

import static java.util.Objects.requireNonNull;

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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A situation, put together in words. The time is {@link #NOW}; others are seconds from it. */
public final class Scene {
  public static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

  private boolean deleted;
  private boolean podDeleted;
  private String disruption = "";
  private @Nullable RunnerJob job;
  private PodView.@Nullable Obstacle obstacle;
  private boolean initializing;
  private boolean sandboxReady;
  private String revision = "r1";
  private long generation = 3;
  private @Nullable EphemeralRunnerSet set = set("r1", 3, "set-uid");
  private @Nullable PodTemplateSpec own;
  private @Nullable RunnerPhase phase;
  private @Nullable String podName;
  private boolean busy;
  private boolean ageless;
  private boolean completed;
  private @Nullable Instant suspectUntil;
  private int refusals = 1;
  private @Nullable PodView pod;
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
  private Shield.Marks marks = new Shield.Marks(Protection.BUSY, false, "ci");

  /**
   * A situation in words, each the name of a method of this class, with its arguments: {@code busy
   * exited(0,-29)}; an underscore stands for a blank.
   */
  public static Scene of(@Nullable String words) {
    var scene = new Scene();
    for (var word : words == null ? new String[0] : words.split(" ")) {
      var parts = word.replace(")", "").split("\\(", 2);
      var given = parts.length == 1 ? new String[0] : parts[1].split(",", -1);
      var method =
          Arrays.stream(Scene.class.getMethods())
              .filter(m -> m.getName().equals(parts[0]) && m.getParameterCount() == given.length)
              .filter(m -> m.getReturnType() == Scene.class)
              .filter(m -> Arrays.stream(m.getParameterTypes()).allMatch(Scene::isWord))
              .findFirst()
              .orElseThrow(() -> new IllegalArgumentException("no such word: " + word));
      var arguments = new Object[given.length];
      for (int i = 0; i < given.length; i++) {
        arguments[i] = argument(method.getParameterTypes()[i], given[i]);
      }
      try {
        var _ = method.invoke(scene, arguments);
      } catch (ReflectiveOperationException e) {
        throw new IllegalArgumentException(word, e);
      }
    }
    return scene;
  }

  private static boolean isWord(Class<?> type) {
    return type.isPrimitive() || type.isEnum() || type == String.class || type == Integer.class;
  }

  private static @Nullable Object argument(Class<?> type, String word) {
    if (word.equals("null")) {
      return null;
    }
    if (type == String.class) {
      return word.replace('_', ' ');
    }
    if (type == boolean.class) {
      return Boolean.valueOf(word);
    }
    if (type == long.class) {
      return Long.valueOf(word);
    }
    return type.isEnum()
        ? Arrays.stream(type.getEnumConstants())
            .filter(each -> ((Enum<?>) each).name().equals(word))
            .findFirst()
            .orElseThrow()
        : (Object) Integer.valueOf(word);
  }

  public static Instant at(long seconds) {
    return NOW.plusSeconds(seconds);
  }

  public static EphemeralRunnerSet set(String revision, long generation, String uid) {
    return set(revision, generation, uid, null, 5L);
  }

  private static EphemeralRunnerSet set(
      String revision, long generation, String uid, @Nullable Retention live, long messageId) {
    var set = new EphemeralRunnerSet();
    set.setMetadata(
        new ObjectMetaBuilder().withName("ci").withUid(uid).withGeneration(generation).build());
    set.setSpec(
        EphemeralRunnerSetSpecBuilder.builder()
            .replicas(1)
            .revision(revision)
            .githubConfigUrl("https://github.com/o")
            .githubConfigSecret(new NameReference("s"))
            .runnerScaleSetId(1)
            .retention(live)
            .template(StoredTemplate.of(template("runner")))
            .build());
    var demand = new Demand(1, messageId, null, 1, 0, null, null, null, null, null, null);
    set.setStatus(EphemeralRunnerSetStatusBuilder.builder().demand(demand).build());
    return set;
  }

  /** The scene's set after it was registered again. */
  public static EphemeralRunnerSet registeredAgain(long generation) {
    var set = set("r1", generation, "set-uid");
    var spec = set.getSpec();
    set.setSpec(
        EphemeralRunnerSetSpecBuilder.builder(spec).runnerScaleSetId(2).retention(null).build());
    return set;
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

  public Scene set(@Nullable EphemeralRunnerSet value) {
    set = value;
    return this;
  }

  public Scene ofSet(String wanted, long generationOfSet, String uid) {
    return set(set(wanted, generationOfSet, uid));
  }

  public Scene ofSetRegisteredAgain(long generationOfSet) {
    return set(registeredAgain(generationOfSet));
  }

  public Scene withoutSet() {
    return set(null);
  }

  /** Busy, and its EphemeralRunnerSet has a deletion timestamp. */
  public Scene ofDeletedSet() {
    requireNonNull(set).getMetadata().setDeletionTimestamp(at(-60).toString());
    return busy();
  }

  /** This process made its pod then. */
  public Scene made(long seconds) {
    memory = memory.made(7L, at(seconds));
    return this;
  }

  /** Its start failed then, and that condition says so. */
  public Scene failedBefore(long seconds, ConditionType condition) {
    var problem = new StartProblem(condition, AccessReason.SERVICE_UNAVAILABLE, "m", at(seconds));
    return start(memory.start().failed(problem, null));
  }

  /** The server has refused to make its pod for the time being, first and last then. */
  public Scene forbiddenSince(long first, long last) {
    for (long at : new long[] {first, first, first, first, last}) {
      var problem =
          new StartProblem(
              ConditionType.SCHEDULED, RunnerReason.POD_FORBIDDEN, "denied by a policy", at(at));
      start(memory.start().failed(problem, null));
    }
    return this;
  }

  /** It is registered, and a quota has had no room for its pod from the first to the last. */
  public Scene quotaSince(long first, long last) {
    start(memory.start().prepared(7L));
    for (long at : new long[] {first, last}) {
      var problem =
          new StartProblem(
              ConditionType.SCHEDULED, RunnerReason.POD_OVER_QUOTA, "exceeded quota", at(at));
      start(memory.start().failed(problem, Duration.ofSeconds(5)));
    }
    return this;
  }

  /** It is not begun since then, since a quota refuses another one of its set. */
  public Scene notBegunSince(long first, long until) {
    var problem =
        new StartProblem(
            ConditionType.SCHEDULED, RunnerReason.WAITS_FOR_QUOTA, "exceeded quota", at(first));
    return start(memory.start().waiting(problem, at(until)));
  }

  public Scene reportedForbidden() {
    return reported(
        StatusConditions.build(
            List.of(),
            ConditionType.SCHEDULED,
            Value.FALSE,
            RunnerReason.POD_FORBIDDEN,
            "denied by a policy",
            null,
            at(-1)));
  }

  public Scene parked() {
    return start(memory.start().parked(7L));
  }

  public Scene uncertain() {
    return start(memory.start().uncertain(7L));
  }

  public Scene prepared() {
    return start(memory.start().prepared(7));
  }

  /** Its container has been made since then. */
  public Scene creatingSince(long seconds) {
    return waitingFor(RunnerReason.CONTAINER_CREATING, seconds);
  }

  public Scene withoutImageSince(long seconds) {
    return waitingFor(RunnerReason.IMAGE_PULL_BACK_OFF, seconds);
  }

  private Scene waitingFor(RunnerReason reason, long seconds) {
    var problem = new StartProblem(ConditionType.STARTED, reason, "m", at(seconds));
    return start(memory.start().waitingFor(problem));
  }

  /** Its set says that it does not come online. */
  public Scene unregistered() {
    memory = memory.judged(true, null);
    return this;
  }

  /** The removal of its registration failed so often, each time then. */
  public Scene removalFailed(int times, long seconds) {
    for (int i = 0; i < times; i++) {
      removal(memory.removal().failed(at(seconds), false));
    }
    return this;
  }

  /** There have been no credentials since then. */
  public Scene credentialsLost(long seconds) {
    return removal(memory.removal().failed(at(seconds), true));
  }

  /** The service keeps its registration, and may be asked again then. */
  public Scene answered(long seconds) {
    return removal(memory.removal().answered(at(seconds)));
  }

  /**
   * The service refused, and may be asked again then; whether it had reported the end of the job.
   */
  public Scene refused(boolean afterJob, long seconds) {
    return removal(memory.removal().refused(at(seconds), afterJob));
  }

  public Scene limits(@Nullable Integer failed, @Nullable Integer succeeded) {
    return live(new Retention(null, null, failed, succeeded, null, null));
  }

  /** The same, and the result of its job counts. */
  public Scene byJob(@Nullable Integer failed, @Nullable Integer succeeded) {
    return live(new Retention(null, null, failed, succeeded, null, Retention.OutcomeFrom.JOB));
  }

  public Scene pods(Retention.PodPolicy policy) {
    return live(new Retention(null, null, 5, 5, policy, null));
  }

  public Scene retained() {
    return annotated(Labels.RETAIN);
  }

  /** Its pod as a whole says one thing, and its container runs. */
  public Scene runningInPod(String podPhase, String reason) {
    return pod(podPhase, reason, new PodView.RunnerContainer.Running(at(-5)));
  }

  public Scene exitedInPod(String podPhase, String reason, int code) {
    return pod(
        podPhase, reason, new PodView.RunnerContainer.Terminated(code, "Error", "", null, at(-1)));
  }

  /** Its set has that protection. */
  public Scene protection(Protection value) {
    var of = set("r1", 3, "set-uid");
    of.setSpec(of.getSpec().toBuilder().protection(value).build());
    return set(of);
  }

  /** The set's rules as they are now. */
  public Scene live(Retention block) {
    set = set("r1", 3, "set-uid", block, 5L);
    return this;
  }

  /** The message that the number of runners reckons with. */
  public Scene weighed(long messageId) {
    set = set("r1", 3, "set-uid", null, messageId);
    return this;
  }

  /** The runner's own times. */
  public Scene ttl(@Nullable String failed, @Nullable String succeeded) {
    retention = new RunnerRetention(failed, succeeded);
    return this;
  }

  public Scene jobResult(String result) {
    jobResult = result;
    return this;
  }

  /** The resourceVersion in which the runner is seen. */
  public Scene version(String value) {
    version = value;
    return this;
  }

  /** A condition that stands in the status. */
  public Scene reported(Condition condition) {
    conditions.add(condition);
    return this;
  }

  public Scene annotated(String name) {
    annotations = Map.of(name, "true");
    return this;
  }

  /** Ended as its status says: the condition, and the mark that nothing is left of it. */
  public Scene ended(RunnerPhase end, String succeeded, boolean deregistered) {
    phase(end);
    conditions.add(
        StatusConditions.build(
            List.of(),
            ConditionType.SUCCEEDED,
            Value.of(succeeded.equals("True")),
            new Reason.Mirrored("r"),
            "",
            null,
            at(-5)));
    if (deregistered) {
      conditions.add(
          StatusConditions.build(
              List.of(),
              ConditionType.REGISTRATION_MADE,
              Value.FALSE,
              RunnerReason.DEREGISTERED,
              "the runner has ended",
              null,
              at(-5)));
    }
    return this;
  }

  /** Ended for a deadline of its start, as its status says; nothing of it is at the service. */
  public Scene overdue(RunnerReason reason) {
    failure = RunnerStatuses.failure(reason, "m", null);
    return ended(RunnerPhase.FAILED, "False", true);
  }

  public Scene standalone(String container) {
    own = template(container);
    set = null;
    return this;
  }

  public Scene phase(RunnerPhase value) {
    phase = value;
    podName = "ci-1";
    return this;
  }

  /** Running, and nobody knows since when it is idle. */
  public Scene ageless() {
    ageless = true;
    return phase(RunnerPhase.RUNNING);
  }

  public Scene busy() {
    busy = true;
    return this;
  }

  /** The same, and this is known of its job. */
  public Scene busy(RunnerJob with) {
    job = with;
    return busy();
  }

  public Scene completed() {
    busy = true;
    completed = true;
    return this;
  }

  public Scene suspectUntil(long seconds) {
    suspectUntil = at(seconds);
    return this;
  }

  public Scene refusals(int count) {
    refusals = count;
    return this;
  }

  public Scene start(StartState state) {
    memory = memory.with(state);
    return this;
  }

  public Scene removal(RemovalState state) {
    memory = memory.with(state);
    return this;
  }

  public Scene memory(RunnerMemory value) {
    memory = value;
    return this;
  }

  public Scene exitKnown(int code, long seconds) {
    exit = new RunnerExit(at(seconds), code);
    return this;
  }

  public Scene exitOfDeletedPod(int code, long seconds) {
    exit = new RunnerExit(at(seconds), code, true);
    return this;
  }

  /** The registration that the status names; its pod runs 7. */
  public Scene registeredAs(long id) {
    runnerId = id;
    return this;
  }

  public Scene registrationGone() {
    gone = true;
    return this;
  }

  /** The service had its registration until it was asked after the runner's end. */
  public Scene leftItsRegistration() {
    memory = memory.with(memory.removal().removed(NOW, true));
    return this;
  }

  public Scene forced() {
    annotations = Map.of(Labels.FORCE_DELETE, "true");
    return this;
  }

  public Scene running() {
    return running(-5);
  }

  /** Its node says that it started then. */
  public Scene running(long seconds) {
    return pod("Running", "", new PodView.RunnerContainer.Running(at(seconds)));
  }

  /** The pod is over, and its status does not tell of the runner's container. */
  public Scene overNotReported(String podPhase, String reason) {
    return pod(podPhase, reason, new PodView.RunnerContainer.Waiting("", ""));
  }

  public Scene exited(int code, long seconds) {
    return exited(code, seconds, "");
  }

  /** This process saw it end then, and the clock of its node agrees. */
  public Scene exited(int code, long seconds, String reason) {
    return exitKnown(code, seconds).datedByItsNode(code, seconds, reason);
  }

  /** Its node says that it ended then; this process sees it now. */
  public Scene datedByItsNode(int code, long seconds) {
    return datedByItsNode(code, seconds, "");
  }

  private Scene datedByItsNode(int code, long seconds, String reason) {
    return pod(
        "Running",
        "",
        new PodView.RunnerContainer.Terminated(code, reason, "", at(seconds - 60), at(seconds)));
  }

  public Scene waiting(String reason, long createdAt) {
    return pod("Pending", "", new PodView.RunnerContainer.Waiting(reason, "m"), createdAt);
  }

  public Scene pod(String podPhase, String reason, PodView.RunnerContainer container) {
    return pod(podPhase, reason, container, -60);
  }

  public Scene pod(
      String podPhase, String reason, PodView.RunnerContainer container, long createdAt) {
    pod =
        new PodView(
            "ci-1",
            "uid-1",
            7L,
            marks,
            at(createdAt),
            "node-1",
            podDeleted,
            podPhase,
            reason,
            "",
            disruption,
            new PodView.Placement(true, "", "", at(createdAt)),
            container,
            obstacle,
            initializing,
            sandboxReady);
    return this;
  }

  /** Another container of the pod that is given next keeps the runner's from starting. */
  public Scene obstacle(String what, String reason, String message) {
    obstacle = new PodView.Obstacle(what, "tools", reason, message);
    return this;
  }

  /** An init container of the pod that is given next runs. */
  public Scene initializing() {
    initializing = true;
    return this;
  }

  /** Volumes and network of the pod that is given next are there. */
  public Scene sandboxReady() {
    sandboxReady = true;
    return this;
  }

  /** Somebody deleted it. */
  public Scene deleted() {
    deleted = true;
    return this;
  }

  /** Somebody deleted it in the foreground. */
  public Scene foreground() {
    finalizers = List.of("foregroundDeletion");
    return this;
  }

  /** The labels of the shield that the pod has that is given next. */
  public Scene marks(@Nullable Protection protection, boolean asBusy) {
    marks = new Shield.Marks(protection, asBusy, "ci");
    return this;
  }

  /** The pod that is given next has lost the label of its set. */
  public Scene withoutSetLabel() {
    marks = new Shield.Marks(marks.protection(), marks.busy(), null);
    return this;
  }

  /** Its set judged whether its pod needs no shield. */
  public Scene open(boolean value) {
    memory = memory.judged(false, value);
    return this;
  }

  /** The pod that is given next is being deleted, and says who of the cluster did that. */
  public Scene podDeletedBy(String who) {
    return disruptedBy(who).podDeleted();
  }

  /** The cluster says so of the pod that is given next, which is not being deleted. */
  public Scene disruptedBy(String who) {
    disruption = who;
    return this;
  }

  /** The pod that is given next is being deleted. */
  public Scene podDeleted() {
    podDeleted = true;
    return this;
  }

  public ObservedRunner observed() {
    var runner = new EphemeralRunner();
    runner.setMetadata(
        new ObjectMetaBuilder()
            .withName("ci-1")
            .withNamespace("ns")
            .withUid("uid-1")
            .withResourceVersion(version)
            .withCreationTimestamp("2026-11-20T11:59:59Z")
            .withLabels(Map.of(Labels.SET, "ci"))
            .withAnnotations(annotations)
            .withDeletionTimestamp(deleted ? at(-1).toString() : null)
            .withFinalizers(finalizers)
            .addToFinalizers(Labels.RUNNER_FINALIZER)
            .withOwnerReferences(new OwnerReferenceBuilder().withUid("set-uid").build())
            .build());
    runner.setSpec(
        EphemeralRunnerSpec.builder("https://github.com/o", new NameReference("s"), 1)
            .revision(revision)
            .setGeneration(generation)
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
            .job(completed ? new RunnerJob(null, null, null, null, null, null, 5L) : job)
            .jobResult(jobResult)
            .failure(failure)
            .idleSince(phase == RunnerPhase.RUNNING && !ageless ? at(-5) : null)
            .removal(suspectUntil == null ? null : new RunnerRemoval(suspectUntil, refusals))
            .build());
    return new ObservedRunner(runner, pod, set, memory, exit, id -> gone && id == 7, NOW);
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

  public static StartProblem stuck() {
    return stuckSince(0);
  }

  public static StartProblem stuckSince(long seconds) {
    return new StartProblem(
        ConditionType.STARTED, RunnerReason.IMAGE_PULL_BACK_OFF, "m", at(seconds));
  }
}
