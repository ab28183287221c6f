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
import dev.runnerset.controller.hooks.RunnersReport;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.controller.removal.Now;
import dev.runnerset.controller.scaling.CapacityPlan;
import dev.runnerset.controller.scaling.LimitedBy;
import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.AutoScalingListenerStatusBuilder;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.AutoScalingRunnerSetStatusBuilder;
import dev.runnerset.crds.JobCounts;
import dev.runnerset.crds.RunnerCounts;
import dev.runnerset.crds.RunnerMode;
import dev.runnerset.crds.ScaleSetProvenance.Origin;
import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.EphemeralRunnerSetReason;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.crds.condition.StatusConditions;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConditionsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00.987Z");
  private static final List<ConditionRule<ConditionInput>> OWN =
      List.of(READY, REGISTERED, LISTENER_READY, CAPACITY_LIMITED, DEGRADED, TEMPLATE_WARNING);

  /**
   * A set of which all is well, but for what the words say: what stands in its way, {@code
   * idle=1/2} for one of two runners that waits for a job, and {@code StartSlow=3/0/2} for a
   * condition RunnersPending of that reason, with three pending, no idle and two stuck runners.
   */
  private static ConditionInput given(String words) {
    var mode = RunnerMode.ACTIVE;
    JobCounts jobs = null;
    String deletion = null;
    var template = TemplateFindings.NONE;
    boolean formerTemplate = false;
    Registration registration =
        new Registration.Registered(new ScaleSetId(7), RunnerGroupId.DEFAULT, Origin.CREATED);
    Finding cluster = null;
    var listener = listener("l", condition("Connected", "True", "Connected", ""));
    var capacity = new CapacityPlan(5, null, null);
    RunnerCounts counts = null;
    var runners = RunnersReport.NONE;
    for (var word : words.isEmpty() ? new String[0] : words.split(" ")) {
      var value = word.substring(word.indexOf('=') + 1);
      switch (word.replaceFirst("=.*", "")) {
        case "deleting" -> deletion = "waiting";
        case "refused" ->
            template = TemplateFindings.refused(new Finding(RunnerSetReason.TEMPLATE_REFUSED, "m"));
        case "former" -> formerTemplate = true;
        case "typo" ->
            template = template.with(new Finding(RunnerSetReason.UNKNOWN_FIELDS, "field imag"));
        case "no-room" -> template = QUOTA;
        case "locked-out" ->
            registration =
                new Registration.Failed(new Finding(AccessReason.UNAUTHORIZED, "m"), NOW);
        case "labels" ->
            registration =
                new Registration.Registered(
                    new ScaleSetId(7),
                    RunnerGroupId.DEFAULT,
                    Origin.CREATED,
                    null,
                    new Finding(RunnerSetReason.LABELS_NOT_TAKEN, "m"));
        case "cluster" -> cluster = new Finding(RunnerSetReason.CLUSTER_ERROR, "m");
        case "mode" -> mode = RunnerMode.valueOf(value);
        case "places" -> capacity = new CapacityPlan(Integer.parseInt(value), null, null);
        case "limit" -> capacity = capacity.hinderedBy(LimitedBy.valueOf(value));
        case "jobs" -> {
          var each = numbers(value);
          jobs = new JobCounts(each[0], each[1], each[2], null);
        }
        case "idle" -> {
          var each = numbers(value);
          counts = new RunnerCounts(each[1], each[1], 0, each[0], each[1] - each[0], 0, 0);
        }
        case "failing" -> runners = FAILING;
        case "listener" ->
            listener =
                switch (value) {
                  case "none" -> null;
                  case "not-held" -> listener("");
                  case "connecting" -> listener("l");
                  case "conflict" ->
                      listener("l", condition("Connected", "False", "Conflict", "m"));
                  default -> notApplying(value);
                };
        default -> {
          var each = numbers(value);
          var reason = word.replaceFirst("=.*", "");
          counts = new RunnerCounts(5, each[0] + each[1], each[0], each[1], 0, 0, each[2]);
          var limit = LIMITS.getOrDefault(reason, LimitedBy.NOT_STARTING);
          runners = pending(reason, "StartSlow".equals(reason) ? null : limit);
        }
      }
    }
    return new ConditionInput(
        mode,
        "spec.maxRunners",
        jobs,
        new Obstacles(deletion, template, formerTemplate, registration, cluster),
        listener,
        capacity,
        counts,
        runners);
  }

  private static RunnersReport pending(String reason, @Nullable LimitedBy limit) {
    return RunnersReport.NONE.with(
        ConditionType.RUNNERS_PENDING,
        Verdict.yes(
                Reason.mirrored(reason, RunnerSetReason.READY),
                "2 of 5 runners wait: exceeded quota")
            .limiting(limit));
  }

  private static int[] numbers(String value) {
    return Stream.of(value.split("/")).mapToInt(Integer::parseInt).toArray();
  }

  private static final TemplateFindings QUOTA =
      new TemplateFindings(null, null, "exceeded quota: pods");
  private static final Map<String, LimitedBy> LIMITS = Map.of("Quota", LimitedBy.QUOTA);
  private static final RunnersReport FAILING =
      RunnersReport.NONE.with(
          ConditionType.RUNNERS_FAILING,
          Verdict.yes(EphemeralRunnerSetReason.BACK_OFF, "m").limiting(LimitedBy.FAILING));
  private static final String FULL = "limit=MAX_RUNNERS jobs=5/5/3";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      emptyValue = "",
      value = {
        "''                   | Ready True Ready, Registered True Registered, ListenerReady True Connected",
        "''                   | CapacityLimited absent, Degraded absent, TemplateWarning absent",
        "labels               | Ready True Ready, Registered True Registered, Degraded True LabelsNotTaken",
        "labels failing idle=1/2 | Degraded True BackOff",
        "deleting             | Ready False Deleting",
        "refused              | Ready False TemplateRefused, Registered True Registered",
        "locked-out           | Ready False Unauthorized, Registered False Unauthorized",
        "refused locked-out   | Ready False TemplateRefused",
        "refused idle=1/1     | Ready True Ready, Degraded True TemplateRefused",
        "refused former       | Ready True Ready, Degraded True TemplateRefused",
        "refused former mode=PAUSED | Ready True Paused, Degraded True TemplateRefused",
        "refused idle=0/0     | Ready False TemplateRefused",
        "typo                 | TemplateWarning True UnknownFields, Ready True Ready",
        "no-room              | Ready True Ready",
        "no-room idle=1/1     | Ready True Ready",
        "cluster              | Ready False ClusterError",
        "listener=none        | ListenerReady False NoListener",
        "listener=not-held    | ListenerReady False NotHeld",
        "listener=connecting  | ListenerReady False Connecting",
        "listener=conflict    | ListenerReady False Conflict, Ready False Conflict",
        "listener=Forbidden   | ListenerReady False Forbidden, Ready False Forbidden",
        "listener=MessageSkipped   | ListenerReady True MessageSkipped, Ready True Ready",
        "failing idle=0/1     | Degraded absent, Ready False BackOff",
        "failing idle=1/2     | Degraded True BackOff, Ready True Ready",
        "mode=PAUSED          | Ready True Paused",
        "mode=PAUSED locked-out    | Ready False Unauthorized",
        "mode=PAUSED listener=none | Ready False NoListener",
        "places=0             | Ready True MaxRunners",
        "mode=DRAINED         | Ready True Drained",
        "mode=DRAINED idle=0/2     | Ready False Draining",
        "limit=MAX_RUNNERS jobs=5/5/3 | CapacityLimited True MaxRunners, Ready True Ready",
        "PodForbidden=2/0/2   | Ready False PodForbidden, Degraded absent",
        "PodForbidden=2/1/2   | Ready True Ready, Degraded True PodForbidden",
        "limit=QUOTA Quota=2/0/2   | Ready True Ready, CapacityLimited True Quota, Degraded absent",
        "limit=QUOTA Quota=2/1/2   | Ready True Ready, CapacityLimited True Quota, Degraded absent",
        "ImagePullBackOff=3/0/2    | Ready True Ready, Degraded True ImagePullBackOff",
        "StartSlow=2/0/0      | Ready True Ready, Degraded absent",
      })
  void eachConditionSaysHowTheSetIs(String words, String expected) {
    var found =
        OWN.stream()
            .map(condition ->
                condition.type().word()
                    + " "
                    + condition
                        .of(given(words))
                        .map(verdict -> verdict.value().word() + " " + verdict.reason().word())
                        .orElse("absent"));
    assertThat(found).contains(expected.split(", "));
  }

  /** Row 10: what Flux and Helm 4 make of a set, at once and after the minute for GitOps. */
  @ParameterizedTest
  @CsvSource({
    "'', Current, Current",
    "mode=PAUSED, Current, Current",
    "mode=DRAINED, Current, Current",
    "mode=DRAINED idle=0/2, InProgress, InProgress",
    "places=0, Current, Current",
    "limit=MAX_RUNNERS jobs=5/5/3, Current, Current",
    "limit=QUOTA Quota=2/0/2, Current, Current",
    "no-room, Current, Current",
    "refused, Failed, Failed",
    "refused former, Failed, Failed",
    "mode=PAUSED refused former, Failed, Failed",
    "locked-out, InProgress, Failed",
    "listener=none, InProgress, InProgress",
    "failing idle=0/1, InProgress, InProgress",
    "cluster, InProgress, InProgress",
  })
  void whatKstatusMakesOfIt(String words, String atOnce, String later) {
    var conditions = ConditionRule.conditions(OWN, given(words), List.of(), 3, NOW).toList();
    var first = StallCondition.of(conditions, List.of(), null, 3, NOW);
    assertThat(kstatus(conditions, first)).isEqualTo(atOnce);
    var second = NOW.plus(StallCondition.BESIDE_SPEC);
    var next = StallCondition.of(conditions, List.of(), first.seen(), 3, second);
    assertThat(kstatus(conditions, next)).isEqualTo(later);
  }

  /** As it judges an object of the present generation that is not being deleted. */
  private static String kstatus(List<Condition> conditions, StallCondition.Found stall) {
    if (stall.condition() != null) {
      return "Failed";
    }
    return StatusConditions.isTrue(conditions, ConditionType.READY) ? "Current" : "InProgress";
  }

  @Test
  void theLimitNamesTheJobsThatWaitAndWhatToChange() {
    assertThat(message(CAPACITY_LIMITED, FULL))
        .isEqualTo(
            "all 5 places of spec.maxRunners are taken, and 3 jobs wait for one: raise"
                + " spec.maxRunners if more jobs are to run at a time");
    var quota = "limit=QUOTA jobs=4/3/1 Quota=1/1/1";
    var sentence = "1 job waits; 2 of 5 runners wait: exceeded quota";
    assertThat(message(CAPACITY_LIMITED, quota)).isEqualTo(sentence);
    assertThat(message(READY, quota))
        .as("the column MESSAGE of a set that is ready, and limited")
        .isEqualTo(sentence);
    assertThat(CAPACITY_LIMITED.of(given("jobs=5/5/0"))).as("no job waits").isEmpty();
    assertThat(message(READY, "jobs=5/5/0")).contains("a job that comes now waits");
    assertThat(message(READY, "places=0")).contains("spec.maxRunners is 0");
    assertThat(message(DEGRADED, "PodForbidden=2/3/2"))
        .isEqualTo("3 runners wait for jobs, but 2 of 5 runners wait: exceeded quota");
    assertThat(message(DEGRADED, "PodForbidden=3/0/2")).startsWith("1 runner starts, but ");
  }

  private static String message(ConditionRule<ConditionInput> condition, String words) {
    return condition.of(given(words)).orElseThrow().message();
  }

  /** The first type counts, and a verdict that limits nothing is no hindrance. */
  @ParameterizedTest
  @CsvSource({
    "'', ",
    "RUNNERS_FAILING=FAILING, FAILING",
    "RUNNERS_PENDING=QUOTA, QUOTA",
    "RUNNERS_PENDING=UNSCHEDULABLE RUNNERS_FAILING=FAILING, FAILING",
    "RUNNERS_FAILING=FAILING PASSES_FAILING=NOT_STARTING, NOT_STARTING",
    "RUNNERS_NOT_REGISTERING=NOT_STARTING RUNNERS_PENDING=QUOTA, QUOTA",
    "RUNNERS_PENDING=, ",
    "RUNNERS_PENDING= RUNNERS_NOT_REGISTERING=NOT_STARTING, NOT_STARTING",
    "RUNNERS_NOT_ENDING=, ",
  })
  void whatKeepsRunnersFromStartingLimitsTheCapacity(String words, @Nullable String limit) {
    var report = RunnersReport.NONE;
    for (var word : words.isEmpty() ? new String[0] : words.split(" ")) {
      var each = word.split("=");
      var limits = each.length == 1 ? null : LimitedBy.valueOf(each[1]);
      report =
          report.with(
              ConditionType.valueOf(each[0]),
              Verdict.yes(RunnerSetReason.READY, "").limiting(limits));
    }
    assertThat(RunnerHindrance.of(report).map(h -> h.limit().name()).orElse(null)).isEqualTo(limit);
  }

  @Test
  void aQuotaDoesNotMatterWhileAllPlacesAreTaken() {
    assertThat(QUOTA.of(null, 3).quota()).isNotNull();
    assertThat(QUOTA.of(new RunnerCounts(3, 2, 0, 0, 2, 0, 0), 3).quota()).isNotNull();
    assertThat(QUOTA.of(new RunnerCounts(3, 3, 0, 0, 3, 0, 0), 3).quota()).isNull();
  }

  /** Of a set of generation 3, with one condition of a feature. */
  private static List<Condition> all(List<Condition> before, ConditionInput input, int seconds) {
    var set = new AutoScalingRunnerSet();
    set.setMetadata(new ObjectMetaBuilder().withGeneration(3L).build());
    set.setStatus(AutoScalingRunnerSetStatusBuilder.builder().conditions(before).build());
    var facts =
        new RunnerSetFacts(
            set,
            set.statusOrNone(),
            null,
            null,
            null,
            RunnersReport.NONE,
            false,
            null,
            new Now(NOW.plusSeconds(seconds)));
    var finding = new Finding(RunnerSetReason.INVALID_SCHEDULE, "m");
    var rule =
        new ConditionRule<RunnerSetFacts>(
            ConditionType.SCHEDULE_INVALID, f -> Optional.of(finding.yes()));
    return RunnerSetConditions.all(input, List.of(rule), facts);
  }

  @Test
  void aHealthySetShowsThreeAndTheirTimeIsThatOfTheLastChangeInSeconds() {
    var first = all(List.of(), given(""), 0);
    assertThat(first)
        .extracting(Condition::getType)
        .containsExactly("Ready", "Registered", "ListenerReady", "ScheduleInvalid");
    assertThat(first)
        .allSatisfy(c -> assertThat(c.getLastTransitionTime()).isEqualTo("2026-11-21T12:00:00Z"))
        .allSatisfy(c -> assertThat(c.getObservedGeneration()).isEqualTo(3));
    assertThat(all(first, given(""), 60)).isEqualTo(first);
    var later = all(first, given("locked-out"), 60);
    assertThat(later.getFirst().getLastTransitionTime()).isEqualTo("2026-11-21T12:01:00Z");
    assertThat(later.getLast()).isEqualTo(first.getLast());
    var otherReason = all(later, given("refused"), 90);
    assertThat(otherReason.getFirst().getReason()).isEqualTo("TemplateRefused");
    assertThat(otherReason.getFirst().getLastTransitionTime()).isEqualTo("2026-11-21T12:01:00Z");
  }

  @Test
  void theSetShowsWhatItsChildrenReportWithTheGenerationOfTheSet() {
    assertThat(all(List.of(), given("listener=Forbidden"), 0).getLast())
        .returns("MarksDropped", Condition::getType)
        .returns("RunnerGone", Condition::getReason)
        .returns(3L, Condition::getObservedGeneration);
    var first = all(List.of(), given("StartSlow=2/0/0"), 0);
    assertThat(first.getLast())
        .returns("RunnersPending", Condition::getType)
        .returns("StartSlow", Condition::getReason)
        .returns(3L, Condition::getObservedGeneration)
        .returns("2026-11-21T12:00:00Z", Condition::getLastTransitionTime);
    assertThat(all(first, given("ImagePullBackOff=2/0/2"), 60).getLast())
        .returns("ImagePullBackOff", Condition::getReason)
        .returns("2026-11-21T12:00:00Z", Condition::getLastTransitionTime);
    assertThat(all(first, given(""), 60))
        .extracting(Condition::getType)
        .doesNotContain("RunnersPending");
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
