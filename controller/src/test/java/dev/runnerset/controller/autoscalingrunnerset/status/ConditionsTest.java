package dev.runnerset.controller.autoscalingrunnerset.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.controller.autoscalingrunnerset.status.ConditionInput.AgeCollection;
import dev.runnerset.controller.autoscalingrunnerset.status.ConditionInput.Fields;
import dev.runnerset.controller.autoscalingrunnerset.status.ConditionInput.Obstacles;
import dev.runnerset.controller.autoscalingrunnerset.status.ConditionInput.RunnerFacts;
import dev.runnerset.controller.scaling.CapacityPlan;
import dev.runnerset.controller.scaling.CapacityPlan.LimitedBy;
import dev.runnerset.controller.schedule.Limits;
import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.AutoScalingListenerStatusBuilder;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetStatus;
import dev.runnerset.crds.JobCounts;
import dev.runnerset.crds.RunnerCounts;
import dev.runnerset.crds.RunnerMode;
import dev.runnerset.crds.ScaleSetProvenance.Origin;
import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.crds.condition.RunnerSetReason;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ConditionsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00.987Z");
  private static final Registration REGISTERED =
      new Registration.Registered(new ScaleSetId(7), RunnerGroupId.DEFAULT, Origin.CREATED);
  private static final Registration UNAUTHORIZED =
      new Registration.Failed(new Finding(AccessReason.UNAUTHORIZED, "m"), NOW);
  private static final AutoScalingListenerStatus CONNECTED =
      AutoScalingListenerStatusBuilder.builder()
          .holder("l")
          .epoch(1L)
          .sessionId("s")
          .conditions(List.of(condition("Connected", "True", "Connected", "")))
          .build();
  private static final ConditionInput GOOD =
      new ConditionInput(
          RunnerMode.ACTIVE,
          Fields.NONE,
          null,
          new Obstacles(null, TemplateFindings.NONE, false, REGISTERED, null),
          CONNECTED,
          new CapacityPlan(5, null),
          RunnerFacts.NONE);

  private static final List<Condition> FAILING =
      List.of(condition("RunnersFailing", "True", "BackOff", "m"));
  private static final Condition STALE = condition("MessagesApplied", "True", "Applied", "");

  record Row(String what, ConditionInput input, RunnerSetCondition condition, String expected) {
    @Override
    public String toString() {
      return what + ": " + condition.type();
    }
  }

  static Stream<Row> rows() {
    var refused = new Finding(RunnerSetReason.TEMPLATE_REFUSED, "m");
    var cluster = new Finding(RunnerSetReason.CLUSTER_ERROR, "m");
    var gateOff =
        ages(new AgeCollection(new Finding(RunnerSetReason.FEATURE_GATE_OFF, "m"), null, null));
    var thrashing = ages(new AgeCollection(null, null, "m"));
    var notConnected =
        AutoScalingListenerStatusBuilder.builder()
            .holder("l")
            .epoch(1L)
            .conditions(List.of(condition("Connected", "False", "Conflict", "m")))
            .build();
    return Stream.of(
        new Row("good", GOOD, RunnerSetCondition.READY, "True Ready"),
        new Row("good", GOOD, RunnerSetCondition.REGISTERED, "True Registered"),
        new Row("good", GOOD, RunnerSetCondition.LISTENER_READY, "True Connected"),
        new Row("good", GOOD, RunnerSetCondition.CAPACITY_LIMITED, "absent"),
        new Row("good", GOOD, RunnerSetCondition.DEGRADED, "absent"),
        new Row("deleting", deleting(), RunnerSetCondition.READY, "False Deleting"),
        new Row(
            "refused",
            with(refused, REGISTERED, null),
            RunnerSetCondition.READY,
            "False TemplateRefused"),
        new Row(
            "refused",
            with(refused, REGISTERED, null),
            RunnerSetCondition.REGISTERED,
            "True Registered"),
        new Row(
            "locked out",
            with(null, UNAUTHORIZED, null),
            RunnerSetCondition.READY,
            "False Unauthorized"),
        new Row(
            "locked out",
            with(null, UNAUTHORIZED, null),
            RunnerSetCondition.REGISTERED,
            "False Unauthorized"),
        new Row(
            "template first",
            with(refused, UNAUTHORIZED, null),
            RunnerSetCondition.READY,
            "False TemplateRefused"),
        new Row(
            "refused, one waits", refusedWith(false, 1), RunnerSetCondition.READY, "True Ready"),
        new Row(
            "refused, one waits",
            refusedWith(false, 1),
            RunnerSetCondition.DEGRADED,
            "True TemplateRefused"),
        new Row(
            "refused, the former serves",
            refusedWith(true, 0),
            RunnerSetCondition.READY,
            "True Ready"),
        new Row(
            "refused, the former serves",
            refusedWith(true, 0),
            RunnerSetCondition.DEGRADED,
            "True TemplateRefused"),
        new Row(
            "refused, none waits",
            refusedWith(false, 0),
            RunnerSetCondition.READY,
            "False TemplateRefused"),
        new Row("typo", typo(), RunnerSetCondition.TEMPLATE_WARNING, "True UnknownFields"),
        new Row("typo", typo(), RunnerSetCondition.READY, "True Ready"),
        new Row("good", GOOD, RunnerSetCondition.TEMPLATE_WARNING, "absent"),
        new Row("no room for a pod", noRoom(0), RunnerSetCondition.READY, "False Quota"),
        new Row("no room for a pod", noRoom(1), RunnerSetCondition.READY, "True Ready"),
        new Row(
            "cluster",
            with(null, REGISTERED, cluster),
            RunnerSetCondition.READY,
            "False ClusterError"),
        new Row(
            "no listener", listener(null), RunnerSetCondition.LISTENER_READY, "False NoListener"),
        new Row(
            "not held",
            listener(AutoScalingListenerStatus.NONE),
            RunnerSetCondition.LISTENER_READY,
            "False NotHeld"),
        new Row(
            "connecting",
            listener(AutoScalingListenerStatusBuilder.builder().holder("l").epoch(1L).build()),
            RunnerSetCondition.LISTENER_READY,
            "False Connecting"),
        new Row(
            "conflict",
            listener(notConnected),
            RunnerSetCondition.LISTENER_READY,
            "False Conflict"),
        new Row("conflict", listener(notConnected), RunnerSetCondition.READY, "False Conflict"),
        new Row(
            "not applied",
            listener(heard("Forbidden")),
            RunnerSetCondition.LISTENER_READY,
            "False Forbidden"),
        new Row(
            "not applied",
            listener(heard("Forbidden")),
            RunnerSetCondition.READY,
            "False Forbidden"),
        new Row(
            "a part skipped",
            listener(heard("MessageSkipped")),
            RunnerSetCondition.LISTENER_READY,
            "True MessageSkipped"),
        new Row(
            "a part skipped",
            listener(heard("MessageSkipped")),
            RunnerSetCondition.READY,
            "True Ready"),
        new Row("failing", failing(0), RunnerSetCondition.DEGRADED, "absent"),
        new Row("failing", failing(0), RunnerSetCondition.READY, "False BackOff"),
        new Row("some stand", failing(1), RunnerSetCondition.DEGRADED, "True BackOff"),
        new Row("some stand", failing(1), RunnerSetCondition.READY, "True Ready"),
        new Row("stalled", stalled(), RunnerSetCondition.ROLLOUT_STALLED, "True RunnersPending"),
        new Row("good", GOOD, RunnerSetCondition.ROLLOUT_STALLED, "absent"),
        new Row("paused", mode(RunnerMode.PAUSED), RunnerSetCondition.READY, "False Paused"),
        new Row("drained", mode(RunnerMode.DRAINED), RunnerSetCondition.READY, "False Drained"),
        new Row("draining", draining(), RunnerSetCondition.READY, "False Draining"),
        new Row("full", full(), RunnerSetCondition.CAPACITY_LIMITED, "True MaxRunners"),
        new Row("full", full(), RunnerSetCondition.READY, "True Ready"),
        new Row(
            "none starts",
            with(pending("PodForbidden", 2, 0, 2)),
            RunnerSetCondition.READY,
            "False PodForbidden"),
        new Row(
            "none starts",
            with(pending("PodForbidden", 2, 0, 2)),
            RunnerSetCondition.DEGRADED,
            "absent"),
        new Row(
            "one waits for a job",
            with(pending("PodForbidden", 2, 1, 2)),
            RunnerSetCondition.READY,
            "True Ready"),
        new Row(
            "one waits for a job",
            with(pending("PodForbidden", 2, 1, 2)),
            RunnerSetCondition.DEGRADED,
            "True PodForbidden"),
        new Row(
            "one of three starts",
            with(pending("ImagePullBackOff", 3, 0, 2)),
            RunnerSetCondition.READY,
            "True Ready"),
        new Row(
            "one of three starts",
            with(pending("ImagePullBackOff", 3, 0, 2)),
            RunnerSetCondition.DEGRADED,
            "True ImagePullBackOff"),
        new Row(
            "merely slow",
            with(pending("StartSlow", 2, 0, 0)),
            RunnerSetCondition.READY,
            "True Ready"),
        new Row(
            "merely slow",
            with(pending("StartSlow", 2, 0, 0)),
            RunnerSetCondition.DEGRADED,
            "absent"),
        new Row("good", GOOD, RunnerSetCondition.RETENTION_REFUSED, "absent"),
        new Row("good", GOOD, RunnerSetCondition.SHIELD_INCOMPLETE, "absent"),
        new Row(
            "no budget",
            lacking(RunnerSetReason.BUDGET_MISSING),
            RunnerSetCondition.SHIELD_INCOMPLETE,
            "True BudgetMissing"),
        new Row(
            "no policy",
            lacking(RunnerSetReason.POLICY_MISSING),
            RunnerSetCondition.SHIELD_INCOMPLETE,
            "True PolicyMissing"),
        new Row(
            "no sight of the policy",
            lacking(RunnerSetReason.POLICY_NOT_VISIBLE),
            RunnerSetCondition.SHIELD_INCOMPLETE,
            "Unknown PolicyNotVisible"),
        new Row(
            "no sight of nodes",
            lacking(RunnerSetReason.NODES_NOT_VISIBLE),
            RunnerSetCondition.SHIELD_INCOMPLETE,
            "Unknown NodesNotVisible"),
        new Row(
            "no sight of nodes",
            lacking(RunnerSetReason.NODES_NOT_VISIBLE),
            RunnerSetCondition.READY,
            "True Ready"),
        new Row(
            "bad rules",
            keeping("ttlAfterFailed: a while"),
            RunnerSetCondition.RETENTION_REFUSED,
            "True InvalidRetention"),
        new Row("good", GOOD, RunnerSetCondition.RUNNER_GC_REFUSED, "absent"),
        new Row("good", GOOD, RunnerSetCondition.RUNNER_GC_THRASHING, "absent"),
        new Row("gate off", gateOff, RunnerSetCondition.RUNNER_GC_REFUSED, "True FeatureGateOff"),
        new Row("gate off", gateOff, RunnerSetCondition.READY, "True Ready"),
        new Row(
            "thrashing", thrashing, RunnerSetCondition.RUNNER_GC_THRASHING, "True NoJobsBetween"),
        new Row("thrashing", thrashing, RunnerSetCondition.READY, "True Ready"));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void eachConditionSaysHowTheSetIs(Row row) {
    assertThat(
            row.condition()
                .of(row.input())
                .map(verdict -> verdict.value().word() + " " + verdict.reason().word())
                .orElse("absent"))
        .isEqualTo(row.expected());
  }

  @Test
  void theLimitNamesTheJobsThatWaitAndWhatToChange() {
    assertThat(message(RunnerSetCondition.CAPACITY_LIMITED, full()))
        .isEqualTo(
            "all 5 places of spec.maxRunners are taken, and 3 jobs wait for one: raise"
                + " spec.maxRunners if more jobs are to run at a time");
    assertThat(
            message(
                RunnerSetCondition.CAPACITY_LIMITED,
                limited(LimitedBy.QUOTA, new JobCounts(4, 3, 1), pending("PodForbidden", 1, 0, 1))))
        .isEqualTo("1 job waits; 2 of 5 runners wait: exceeded quota");
    var taken = limited(null, new JobCounts(5, 5, 0), RunnerFacts.NONE);
    assertThat(RunnerSetCondition.CAPACITY_LIMITED.of(taken)).as("no job waits").isEmpty();
    assertThat(message(RunnerSetCondition.READY, taken)).contains("a job that comes now waits");
    var quota = limited(LimitedBy.QUOTA, new JobCounts(4, 3, 1), pending("PodForbidden", 1, 1, 1));
    assertThat(message(RunnerSetCondition.READY, quota))
        .as("the column MESSAGE of a set that is ready, and limited")
        .isEqualTo("1 job waits; 2 of 5 runners wait: exceeded quota");
  }

  @Test
  void degradedNamesTheRunnersThatStandAndThoseThatDoNot() {
    assertThat(message(RunnerSetCondition.DEGRADED, with(pending("PodForbidden", 2, 3, 2))))
        .isEqualTo("3 runners wait for jobs, but 2 of 5 runners wait: exceeded quota");
    assertThat(message(RunnerSetCondition.DEGRADED, with(pending("PodForbidden", 3, 0, 2))))
        .startsWith("1 runner starts, but ");
  }

  private static String message(RunnerSetCondition condition, ConditionInput input) {
    return condition.of(input).orElseThrow().message();
  }

  @ParameterizedTest
  @CsvSource({
    "RunnersFailing, BackOff, m, FAILING",
    "RunnersPending, PodForbidden, exceeded quota: q, QUOTA",
    "RunnersPending, PodForbidden, violates PodSecurity, NOT_STARTING",
    "RunnersPending, Unschedulable, 0/1 nodes, UNSCHEDULABLE",
    "RunnersPending, Unscheduled, no reason, UNSCHEDULABLE",
    "RunnersPending, ImagePullBackOff, m, NOT_STARTING",
    "RunnersPending, StartSlow, m, ",
    "RunnersNotEnding, ExitOverdue, m, ",
  })
  void whatKeepsRunnersFromStartingLimitsTheCapacity(
      String type, String reason, String words, @org.jspecify.annotations.Nullable String limit) {
    var hindrance = RunnerHindrance.of(List.of(condition(type, "True", reason, words)));
    assertThat(hindrance.map(h -> h.limit().name()).orElse(null)).isEqualTo(limit);
  }

  @Test
  void theCountOfCollectionsIsReportedOnlyWhileItIsTooHigh() {
    var calm = ages(AgeCollection.NONE);
    assertThat(RunnerSetCondition.RUNNER_GC_THRASHING.of(calm)).isEmpty();
    var thrashing = ages(new AgeCollection(null, null, "13 runners"));
    assertThat(RunnerSetCondition.RUNNER_GC_THRASHING.of(thrashing).orElseThrow().message())
        .isEqualTo("13 runners");
  }

  private static ConditionInput lacking(RunnerSetReason reason) {
    return new ConditionInput(
        GOOD.mode(),
        new Fields(null, new Finding(reason, "m"), null, Limits.DEFAULT),
        null,
        GOOD.obstacles(),
        CONNECTED,
        GOOD.capacity(),
        RunnerFacts.NONE);
  }

  private static ConditionInput keeping(String retention) {
    return new ConditionInput(
        GOOD.mode(),
        new Fields(
            Serialization.unmarshal(retention, dev.runnerset.crds.Retention.class),
            null,
            null,
            Limits.DEFAULT),
        null,
        GOOD.obstacles(),
        CONNECTED,
        GOOD.capacity(),
        RunnerFacts.NONE);
  }

  @Test
  void aQuotaDoesNotMatterWhileAllPlacesAreTaken() {
    var full = new TemplateFindings(null, null, "exceeded quota");
    assertThat(full.of(null, 3).quota()).isNotNull();
    assertThat(full.of(new RunnerCounts(3, 2, 0, 0, 2, 0, 0), 3).quota()).isNotNull();
    assertThat(full.of(new RunnerCounts(3, 3, 0, 0, 3, 0, 0), 3).quota()).isNull();
  }

  @Test
  void aSetWithoutPlacesIsNotReady() {
    var none =
        new ConditionInput(
            GOOD.mode(),
            Fields.NONE,
            null,
            GOOD.obstacles(),
            CONNECTED,
            new CapacityPlan(0, null),
            RunnerFacts.NONE);
    var ready = RunnerSetCondition.READY.of(none).orElseThrow();
    assertThat(ready.isTrue()).isFalse();
    assertThat(ready.message()).contains("spec.maxRunners is 0");
  }

  private static ConditionInput ages(AgeCollection ages) {
    return with(new RunnerFacts(null, List.of(), null, ages));
  }

  private static ConditionInput with(RunnerFacts runners) {
    return new ConditionInput(
        GOOD.mode(), Fields.NONE, null, GOOD.obstacles(), CONNECTED, GOOD.capacity(), runners);
  }

  @Test
  void aHealthySetShowsThreeAndTheirTimeIsThatOfTheLastChangeInSeconds() {
    var first = RunnerSetCondition.all(List.of(), GOOD, 3, NOW);
    assertThat(first)
        .extracting(Condition::getType)
        .containsExactly("Ready", "Registered", "ListenerReady");
    assertThat(first)
        .allSatisfy(c -> assertThat(c.getLastTransitionTime()).isEqualTo("2026-11-21T12:00:00Z"))
        .allSatisfy(c -> assertThat(c.getObservedGeneration()).isEqualTo(3));
    assertThat(RunnerSetCondition.all(first, GOOD, 3, NOW.plusSeconds(60))).isEqualTo(first);
    var later =
        RunnerSetCondition.all(first, with(null, UNAUTHORIZED, null), 3, NOW.plusSeconds(60));
    assertThat(later.getFirst().getLastTransitionTime()).isEqualTo("2026-11-21T12:01:00Z");
    assertThat(later.getLast()).isEqualTo(first.getLast());
    var otherReason =
        RunnerSetCondition.all(later, mode(RunnerMode.PAUSED), 3, NOW.plusSeconds(90));
    assertThat(otherReason.getFirst().getReason()).isEqualTo("Paused");
    assertThat(otherReason.getFirst().getLastTransitionTime()).isEqualTo("2026-11-21T12:01:00Z");
  }

  @Test
  void theTroubleOfTheChildrenStandsOnTheSetWithItsOwnTimeAndTheGenerationOfTheSet() {
    var listener =
        AutoScalingListenerStatusBuilder.builder()
            .holder("l")
            .epoch(1L)
            .sessionId("s")
            .conditions(List.of(FAILING.getFirst(), STALE))
            .build();
    assertThat(MirroredConditions.of(null, listener)).as("no type of a listener").isEmpty();
    assertThat(MirroredConditions.of(null, heard("Forbidden")))
        .singleElement()
        .matches(c -> c.getType().equals("MarksDropped"));
    var ers = new EphemeralRunnerSet();
    ers.setStatus(
        Serialization.unmarshal(
            """
            conditions:
            - {type: RunnersNotEnding, status: "False", reason: Calm}
            - {type: ChildReferencesTruncated, status: "True", reason: TooManyRunners}
            - {type: RunnersPending, status: "True", reason: StartOverdue, message: m,
               observedGeneration: 9, lastTransitionTime: "2026-11-21T11:00:00Z"}
            """,
            EphemeralRunnerSetStatus.class));
    var mirrored = MirroredConditions.of(ers, null);
    var facts = new RunnerFacts(null, mirrored, null, AgeCollection.NONE);
    var last = RunnerSetCondition.all(List.of(), with(facts), 3, NOW).getLast();
    assertThat(mirrored).hasSize(1);
    assertThat(last.getType() + " " + last.getReason()).isEqualTo("RunnersPending StartOverdue");
    assertThat(last.getObservedGeneration()).isEqualTo(3);
    assertThat(last.getLastTransitionTime()).isEqualTo("2026-11-21T11:00:00Z");
  }

  private static ConditionInput with(Obstacles obstacles) {
    return new ConditionInput(
        GOOD.mode(), Fields.NONE, null, obstacles, CONNECTED, GOOD.capacity(), RunnerFacts.NONE);
  }

  /** The template is refused, and so many runners wait for jobs. */
  private static ConditionInput refusedWith(boolean formerTemplate, int idle) {
    var refused = TemplateFindings.refused(new Finding(RunnerSetReason.TEMPLATE_REFUSED, "m"));
    return with(new Obstacles(null, refused, formerTemplate, REGISTERED, null), idle);
  }

  private static ConditionInput typo() {
    var warning = new Finding(RunnerSetReason.UNKNOWN_FIELDS, "unknown field \"imag\"");
    return with(
        new Obstacles(null, TemplateFindings.NONE.with(warning), false, REGISTERED, null), 0);
  }

  private static ConditionInput noRoom(int idle) {
    var quota = new TemplateFindings(null, null, "exceeded quota: pods");
    return with(new Obstacles(null, quota, false, REGISTERED, null), idle);
  }

  private static ConditionInput with(Obstacles obstacles, int idle) {
    var counts = new RunnerCounts(idle, idle, 0, idle, 0, 0, 0);
    return new ConditionInput(
        GOOD.mode(),
        Fields.NONE,
        null,
        obstacles,
        CONNECTED,
        GOOD.capacity(),
        new RunnerFacts(counts, List.of(), null, AgeCollection.NONE));
  }

  private static ConditionInput deleting() {
    return with(new Obstacles("waiting", TemplateFindings.NONE, false, REGISTERED, null));
  }

  private static ConditionInput with(
      @org.jspecify.annotations.Nullable Finding template,
      Registration registration,
      @org.jspecify.annotations.Nullable Finding cluster) {
    return with(
        new Obstacles(
            null, new TemplateFindings(template, null, null), false, registration, cluster));
  }

  /** A listener that has its session, and does not apply its messages for that reason. */
  private static AutoScalingListenerStatus heard(String reason) {
    return Serialization.unmarshal(
        """
        holder: l
        epoch: 1
        sessionId: s
        conditions:
        - {type: Connected, status: "True", reason: SessionOpen}
        - {type: MessagesApplied, status: "False", reason: %s, message: why}
        - {type: MarksDropped, status: "True", reason: RunnerGone, message: which}
        """
            .formatted(reason),
        AutoScalingListenerStatus.class);
  }

  private static ConditionInput listener(
      @org.jspecify.annotations.Nullable AutoScalingListenerStatus l) {
    return new ConditionInput(
        GOOD.mode(), Fields.NONE, null, GOOD.obstacles(), l, GOOD.capacity(), RunnerFacts.NONE);
  }

  private static ConditionInput failing(int idle) {
    return with(
        new RunnerFacts(
            new RunnerCounts(3, idle + 1, 0, idle, 1, 0, 0), FAILING, null, AgeCollection.NONE));
  }

  private static ConditionInput draining() {
    var counts = new RunnerCounts(0, 2, 0, 0, 2, 0, 0);
    return new ConditionInput(
        RunnerMode.DRAINED,
        Fields.NONE,
        null,
        GOOD.obstacles(),
        CONNECTED,
        GOOD.capacity(),
        new RunnerFacts(counts, List.of(), null, AgeCollection.NONE));
  }

  private static ConditionInput stalled() {
    return with(new RunnerFacts(null, List.of(), "the rollout stands", AgeCollection.NONE));
  }

  private static ConditionInput mode(RunnerMode mode) {
    return new ConditionInput(
        mode, Fields.NONE, null, GOOD.obstacles(), CONNECTED, GOOD.capacity(), RunnerFacts.NONE);
  }

  private static ConditionInput limited(
      @org.jspecify.annotations.Nullable LimitedBy limit, JobCounts jobs, RunnerFacts runners) {
    return new ConditionInput(
        GOOD.mode(),
        Fields.NONE,
        jobs,
        GOOD.obstacles(),
        CONNECTED,
        new CapacityPlan(5, null).hinderedBy(limit),
        runners);
  }

  private static ConditionInput full() {
    return limited(LimitedBy.MAX_RUNNERS, new JobCounts(5, 5, 3), RunnerFacts.NONE);
  }

  /** With a condition RunnersPending of that reason and these counts. */
  private static RunnerFacts pending(String reason, int pending, int idle, int stuck) {
    var counts = new RunnerCounts(5, pending + idle, pending, idle, 0, 0, stuck);
    var condition =
        condition("RunnersPending", "True", reason, "2 of 5 runners wait: exceeded quota");
    return new RunnerFacts(counts, List.of(condition), null, AgeCollection.NONE);
  }

  private static Condition condition(String type, String status, String reason, String message) {
    return new ConditionBuilder()
        .withType(type)
        .withStatus(status)
        .withReason(reason)
        .withMessage(message)
        .build();
  }
}
