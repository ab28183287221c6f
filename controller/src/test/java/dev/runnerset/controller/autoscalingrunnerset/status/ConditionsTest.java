package dev.runnerset.controller.autoscalingrunnerset.status;

import static dev.runnerset.controller.autoscalingrunnerset.status.RunnerSetConditions.CAPACITY_LIMITED;
import static dev.runnerset.controller.autoscalingrunnerset.status.RunnerSetConditions.DEGRADED;
import static dev.runnerset.controller.autoscalingrunnerset.status.RunnerSetConditions.LISTENER_READY;
import static dev.runnerset.controller.autoscalingrunnerset.status.RunnerSetConditions.READY;
import static dev.runnerset.controller.autoscalingrunnerset.status.RunnerSetConditions.REGISTERED;
import static dev.runnerset.controller.autoscalingrunnerset.status.RunnerSetConditions.TEMPLATE_WARNING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.controller.autoscalingrunnerset.status.ConditionInput.Obstacles;
import dev.runnerset.controller.hooks.ConditionRule;
import dev.runnerset.controller.hooks.RunnerSetFacts;
import dev.runnerset.controller.scaling.CapacityPlan;
import dev.runnerset.controller.scaling.CapacityPlan.LimitedBy;
import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.AutoScalingListenerStatusBuilder;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.AutoScalingRunnerSetStatusBuilder;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetStatus;
import dev.runnerset.crds.JobCounts;
import dev.runnerset.crds.RunnerCounts;
import dev.runnerset.crds.RunnerMode;
import dev.runnerset.crds.ScaleSetProvenance.Origin;
import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.RunnerSetReason;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ConditionsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00.987Z");
  private static final Registration UNAUTHORIZED =
      new Registration.Failed(new Finding(AccessReason.UNAUTHORIZED, "m"), NOW);
  private static final AutoScalingListenerStatus CONNECTED =
      listener("l", condition("Connected", "True", "Connected", ""));
  private static final TemplateFindings REFUSED =
      TemplateFindings.refused(new Finding(RunnerSetReason.TEMPLATE_REFUSED, "m"));
  private static final List<Condition> FAILING =
      List.of(condition("RunnersFailing", "True", "BackOff", "m"));
  private static final Condition STALE = condition("MessagesApplied", "True", "Applied", "");

  /** A set of which all is well, but for what a row changes. */
  private static final class Given {
    RunnerMode mode = RunnerMode.ACTIVE;
    @Nullable JobCounts jobs;
    @Nullable String deletion;
    TemplateFindings template = TemplateFindings.NONE;
    boolean formerTemplate;
    Registration registration =
        new Registration.Registered(new ScaleSetId(7), RunnerGroupId.DEFAULT, Origin.CREATED);
    @Nullable Finding cluster;
    @Nullable AutoScalingListenerStatus listener = CONNECTED;
    CapacityPlan capacity = new CapacityPlan(5, null);
    @Nullable RunnerCounts counts;
    List<Condition> mirrored = List.of();

    /** So many runners live, of which so many wait for a job. */
    void idle(int live, int idle) {
      counts = new RunnerCounts(live, live, 0, idle, live - idle, 0, 0);
    }

    /** With a condition RunnersPending of that reason and these counts. */
    void pending(String reason, int pending, int idle, int stuck) {
      counts = new RunnerCounts(5, pending + idle, pending, idle, 0, 0, stuck);
      mirrored =
          List.of(
              condition("RunnersPending", "True", reason, "2 of 5 runners wait: exceeded quota"));
    }

    void limited(@Nullable LimitedBy by, JobCounts counted) {
      capacity = capacity.hinderedBy(by);
      jobs = counted;
    }
  }

  private static ConditionInput given(Consumer<Given> change) {
    var given = new Given();
    change.accept(given);
    return new ConditionInput(
        given.mode,
        "spec.maxRunners",
        given.jobs,
        new Obstacles(
            given.deletion,
            given.template,
            given.formerTemplate,
            given.registration,
            given.cluster),
        given.listener,
        given.capacity,
        given.counts,
        given.mirrored);
  }

  private static final ConditionInput GOOD = given(set -> {});

  record Row(String what, ConditionInput input, List<String> expected) {
    @Override
    public String toString() {
      return what;
    }
  }

  private static Row row(String what, Consumer<Given> change, String... expected) {
    return new Row(what, given(change), List.of(expected));
  }

  static Stream<Row> rows() {
    return Stream.of(
        row(
            "good",
            set -> {},
            "Ready True Ready",
            "Registered True Registered",
            "ListenerReady True Connected",
            "CapacityLimited absent",
            "Degraded absent",
            "TemplateWarning absent"),
        row("deleting", set -> set.deletion = "waiting", "Ready False Deleting"),
        row(
            "refused",
            set -> set.template = REFUSED,
            "Ready False TemplateRefused",
            "Registered True Registered"),
        row(
            "locked out",
            set -> set.registration = UNAUTHORIZED,
            "Ready False Unauthorized",
            "Registered False Unauthorized"),
        row(
            "template first",
            set -> {
              set.template = REFUSED;
              set.registration = UNAUTHORIZED;
            },
            "Ready False TemplateRefused"),
        row(
            "refused, one waits",
            set -> {
              set.template = REFUSED;
              set.idle(1, 1);
            },
            "Ready True Ready",
            "Degraded True TemplateRefused"),
        row(
            "refused, the former serves",
            set -> {
              set.template = REFUSED;
              set.formerTemplate = true;
            },
            "Ready True Ready",
            "Degraded True TemplateRefused"),
        row(
            "refused, none waits",
            set -> {
              set.template = REFUSED;
              set.idle(0, 0);
            },
            "Ready False TemplateRefused"),
        row(
            "typo",
            set ->
                set.template =
                    TemplateFindings.NONE.with(
                        new Finding(RunnerSetReason.UNKNOWN_FIELDS, "unknown field \"imag\"")),
            "TemplateWarning True UnknownFields",
            "Ready True Ready"),
        row("no room for a pod", set -> set.template = quota(), "Ready False Quota"),
        row(
            "no room for a pod, one waits",
            set -> {
              set.template = quota();
              set.idle(1, 1);
            },
            "Ready True Ready"),
        row(
            "cluster",
            set -> set.cluster = new Finding(RunnerSetReason.CLUSTER_ERROR, "m"),
            "Ready False ClusterError"),
        row("no listener", set -> set.listener = null, "ListenerReady False NoListener"),
        row("not held", set -> set.listener = listener(""), "ListenerReady False NotHeld"),
        row("connecting", set -> set.listener = listener("l"), "ListenerReady False Connecting"),
        row(
            "conflict",
            set -> set.listener = listener("l", condition("Connected", "False", "Conflict", "m")),
            "ListenerReady False Conflict",
            "Ready False Conflict"),
        row(
            "not applied",
            set -> set.listener = notApplying("Forbidden"),
            "ListenerReady False Forbidden",
            "Ready False Forbidden"),
        row(
            "a part skipped",
            set -> set.listener = notApplying("MessageSkipped"),
            "ListenerReady True MessageSkipped",
            "Ready True Ready"),
        row("failing", set -> failing(set, 0), "Degraded absent", "Ready False BackOff"),
        row("some stand", set -> failing(set, 1), "Degraded True BackOff", "Ready True Ready"),
        row("paused", set -> set.mode = RunnerMode.PAUSED, "Ready False Paused"),
        row("drained", set -> set.mode = RunnerMode.DRAINED, "Ready False Drained"),
        row(
            "draining",
            set -> {
              set.mode = RunnerMode.DRAINED;
              set.idle(2, 0);
            },
            "Ready False Draining"),
        row("full", ConditionsTest::full, "CapacityLimited True MaxRunners", "Ready True Ready"),
        row(
            "none starts",
            set -> set.pending("PodForbidden", 2, 0, 2),
            "Ready False PodForbidden",
            "Degraded absent"),
        row(
            "one waits for a job",
            set -> set.pending("PodForbidden", 2, 1, 2),
            "Ready True Ready",
            "Degraded True PodForbidden"),
        row(
            "one of three starts",
            set -> set.pending("ImagePullBackOff", 3, 0, 2),
            "Ready True Ready",
            "Degraded True ImagePullBackOff"),
        row(
            "merely slow",
            set -> set.pending("StartSlow", 2, 0, 0),
            "Ready True Ready",
            "Degraded absent"));
  }

  private static TemplateFindings quota() {
    return new TemplateFindings(null, null, "exceeded quota: pods");
  }

  private static void failing(Given set, int idle) {
    set.idle(idle + 1, idle);
    set.mirrored = FAILING;
  }

  private static void full(Given set) {
    set.limited(LimitedBy.MAX_RUNNERS, new JobCounts(5, 5, 3));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void eachConditionSaysHowTheSetIs(Row row) {
    var found =
        Stream.of(READY, REGISTERED, LISTENER_READY, CAPACITY_LIMITED, DEGRADED, TEMPLATE_WARNING)
            .map(condition ->
                condition.type().word()
                    + " "
                    + condition
                        .of(row.input())
                        .map(verdict -> verdict.value().word() + " " + verdict.reason().word())
                        .orElse("absent"));
    assertThat(found).containsAll(row.expected());
  }

  @Test
  void theLimitNamesTheJobsThatWaitAndWhatToChange() {
    assertThat(message(CAPACITY_LIMITED, ConditionsTest::full))
        .isEqualTo(
            "all 5 places of spec.maxRunners are taken, and 3 jobs wait for one: raise"
                + " spec.maxRunners if more jobs are to run at a time");
    Consumer<Given> quota =
        set -> {
          set.limited(LimitedBy.QUOTA, new JobCounts(4, 3, 1));
          set.pending("PodForbidden", 1, 1, 1);
        };
    var sentence = "1 job waits; 2 of 5 runners wait: exceeded quota";
    assertThat(message(CAPACITY_LIMITED, quota)).isEqualTo(sentence);
    assertThat(message(READY, quota))
        .as("the column MESSAGE of a set that is ready, and limited")
        .isEqualTo(sentence);
    Consumer<Given> taken = set -> set.limited(null, new JobCounts(5, 5, 0));
    assertThat(CAPACITY_LIMITED.of(given(taken))).as("no job waits").isEmpty();
    assertThat(message(READY, taken)).contains("a job that comes now waits");
    assertThat(message(READY, set -> set.capacity = new CapacityPlan(0, null)))
        .contains("spec.maxRunners is 0");
  }

  @Test
  void degradedNamesTheRunnersThatStandAndThoseThatDoNot() {
    assertThat(message(DEGRADED, set -> set.pending("PodForbidden", 2, 3, 2)))
        .isEqualTo("3 runners wait for jobs, but 2 of 5 runners wait: exceeded quota");
    assertThat(message(DEGRADED, set -> set.pending("PodForbidden", 3, 0, 2)))
        .startsWith("1 runner starts, but ");
  }

  private static String message(ConditionRule<ConditionInput> condition, Consumer<Given> change) {
    return condition.of(given(change)).orElseThrow().message();
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
      String type, String reason, String words, @Nullable String limit) {
    var hindrance = RunnerHindrance.of(List.of(condition(type, "True", reason, words)));
    assertThat(hindrance.map(h -> h.limit().name()).orElse(null)).isEqualTo(limit);
  }

  @Test
  void aQuotaDoesNotMatterWhileAllPlacesAreTaken() {
    assertThat(quota().of(null, 3).quota()).isNotNull();
    assertThat(quota().of(new RunnerCounts(3, 2, 0, 0, 2, 0, 0), 3).quota()).isNotNull();
    assertThat(quota().of(new RunnerCounts(3, 3, 0, 0, 3, 0, 0), 3).quota()).isNull();
  }

  /** Of a set of generation 3, with one condition of a feature. */
  private static List<Condition> all(List<Condition> before, ConditionInput input, int seconds) {
    var set = new AutoScalingRunnerSet();
    set.setMetadata(new ObjectMetaBuilder().withGeneration(3L).build());
    set.setStatus(AutoScalingRunnerSetStatusBuilder.builder().conditions(before).build());
    var facts =
        new RunnerSetFacts(
            set, set.statusOrNone(), null, null, null, false, null, NOW.plusSeconds(seconds));
    var finding = new Finding(RunnerSetReason.INVALID_SCHEDULE, "m");
    var rule =
        new ConditionRule<RunnerSetFacts>(
            ConditionType.SCHEDULE_INVALID, f -> Optional.of(finding.yes()));
    return RunnerSetConditions.all(input, List.of(rule), facts);
  }

  @Test
  void aHealthySetShowsThreeAndTheirTimeIsThatOfTheLastChangeInSeconds() {
    var first = all(List.of(), GOOD, 0);
    assertThat(first)
        .extracting(Condition::getType)
        .containsExactly("Ready", "Registered", "ListenerReady", "ScheduleInvalid");
    assertThat(first)
        .allSatisfy(c -> assertThat(c.getLastTransitionTime()).isEqualTo("2026-11-21T12:00:00Z"))
        .allSatisfy(c -> assertThat(c.getObservedGeneration()).isEqualTo(3));
    assertThat(all(first, GOOD, 60)).isEqualTo(first);
    var later = all(first, given(set -> set.registration = UNAUTHORIZED), 60);
    assertThat(later.getFirst().getLastTransitionTime()).isEqualTo("2026-11-21T12:01:00Z");
    assertThat(later.getLast()).isEqualTo(first.getLast());
    var otherReason = all(later, given(set -> set.mode = RunnerMode.PAUSED), 90);
    assertThat(otherReason.getFirst().getReason()).isEqualTo("Paused");
    assertThat(otherReason.getFirst().getLastTransitionTime()).isEqualTo("2026-11-21T12:01:00Z");
  }

  @Test
  void whatTheChildrenReportStandsOnTheSetWithItsOwnTimeAndTheGenerationOfTheSet() {
    assertThat(MirroredConditions.of(null, listener("l", FAILING.getFirst(), STALE)))
        .as("no type of a listener")
        .isEmpty();
    assertThat(MirroredConditions.of(null, notApplying("Forbidden")))
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
    var last = all(List.of(), given(set -> set.mirrored = mirrored), 0).getLast();
    assertThat(mirrored).hasSize(1);
    assertThat(last.getType() + " " + last.getReason()).isEqualTo("RunnersPending StartOverdue");
    assertThat(last.getObservedGeneration()).isEqualTo(3);
    assertThat(last.getLastTransitionTime()).isEqualTo("2026-11-21T11:00:00Z");
  }

  /** A listener that has its session, and does not apply its messages for that reason. */
  private static AutoScalingListenerStatus notApplying(String reason) {
    return listener(
        "l",
        condition("Connected", "True", "SessionOpen", ""),
        condition("MessagesApplied", "False", reason, "why"),
        condition("MarksDropped", "True", "RunnerGone", "which"));
  }

  private static AutoScalingListenerStatus listener(String holder, Condition... conditions) {
    return AutoScalingListenerStatusBuilder.builder()
        .holder(holder)
        .epoch(1L)
        .sessionId("s")
        .conditions(List.of(conditions))
        .build();
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
