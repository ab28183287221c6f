package dev.runnerset.controller.ephemeralrunner.lifecycle;

import static dev.runnerset.controller.ephemeralrunner.lifecycle.Scene.at;
import static dev.runnerset.controller.ephemeralrunner.lifecycle.Scene.registeredAnew;
import static dev.runnerset.controller.ephemeralrunner.lifecycle.Scene.set;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.RunnerReason;
import dev.runnerset.crds.condition.StatusConditions.Value;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class RunnerLifecycleTest {
  record Row(String rule, Scene given, String expected) {
    @Override
    public String toString() {
      return rule;
    }
  }

  private static Scene scene() {
    return new Scene();
  }

  private static RunnerMemory made(long seconds) {
    return RunnerMemory.NONE.made(7L, at(seconds));
  }

  private static StartState failedBefore(long seconds, ConditionType condition) {
    return StartState.UNSEEN.failed(
        new StartProblem(condition, AccessReason.SERVICE_UNAVAILABLE, "m", at(seconds)), null);
  }

  /** A pod that the server has refused to make for the time being, first and last then. */
  private static StartState forbiddenSince(long first, long last) {
    var state = StartState.UNSEEN;
    for (long at : new long[] {first, first, first, first, last}) {
      state =
          state.failed(
              new StartProblem(
                  ConditionType.SCHEDULED, RunnerReason.POD_FORBIDDEN, "exceeded quota", at(at)),
              null);
    }
    return state;
  }

  private static Condition notScheduled() {
    return RunnerConditions.of(
        ConditionType.SCHEDULED, Value.FALSE, RunnerReason.POD_FORBIDDEN, "exceeded quota", at(-1));
  }

  static Stream<Row> rows() {
    return Stream.of(
            beginning(), pending(), running(), zero(), failures(), succeededUntold(), clocks())
        .flatMap(rows -> rows);
  }

  static Stream<Row> beginning() {
    return Stream.of(
        new Row("its revision is there: start", scene(), "start:runner"),
        new Row(
            "a later generation, same revision",
            scene().set(set("r1", 9, "set-uid")),
            "start:runner"),
        new Row("a stale cache is waited for", scene().set(set("r0", 2, "set-uid")), "again+200"),
        new Row("another revision: replace", scene().set(set("r2", 4, "set-uid")), "replace"),
        new Row(
            "another revision, same generation", scene().set(set("r2", 3, "set-uid")), "replace"),
        new Row("another scale set: replace", scene().set(registeredAnew(4)), "replace"),
        new Row(
            "another scale set, and a backoff that is not over",
            scene().set(registeredAnew(4)).start(failedBefore(-4, ConditionType.REGISTRATION_MADE)),
            "replace"),
        new Row(
            "another scale set in a stale cache is waited for",
            scene().set(registeredAnew(2)),
            "again+200"),
        new Row(
            "another scale set, and a pod is made",
            scene().set(registeredAnew(4)).memory(made(-1)),
            "confirm-loss"),
        new Row("no set in the cache", scene().set(null), "again+200"),
        new Row("a set of another uid", scene().set(set("r1", 3, "other")), "again+200"),
        new Row("standalone: its own template", scene().standalone("runner"), "start:runner"),
        new Row("no runner container", scene().standalone("main"), "FAILED:InvalidTemplate"),
        new Row(
            "backoff not over",
            scene().start(failedBefore(-4, ConditionType.REGISTRATION_MADE)),
            "again+1000"),
        new Row(
            "backoff over",
            scene().start(failedBefore(-5, ConditionType.REGISTRATION_MADE)),
            "start:runner"),
        new Row(
            "a forbidden pod is told at once",
            scene().start(failedBefore(0, ConditionType.SCHEDULED)),
            "PENDING again+5000"),
        new Row(
            "6 a pod that is forbidden for 9 min 56 s is tried again",
            scene().start(forbiddenSince(-596, -596)),
            "start:runner"),
        new Row(
            "6 a wait ends with the deadline",
            scene().start(forbiddenSince(-596, -1)).told(notScheduled()),
            "again+4000"),
        new Row(
            "6 forbidden for 10 min: failed, whenever the next try were due",
            scene().start(forbiddenSince(-600, -1)).told(notScheduled()),
            "FAILED:PodForbidden"),
        new Row(
            "a namespace that goes away", scene().start(StartState.UNSEEN.parked(7L)), "nothing"),
        new Row(
            "I6: a start of unknown outcome is not tried again",
            scene().start(failedBefore(0, ConditionType.SCHEDULED).uncertain(7L)),
            "give-up"),
        new Row(
            "a start of unknown outcome whose pod came",
            scene().start(StartState.NEW.uncertain(7L)).running(),
            "RUNNING"),
        new Row(
            "its registration was removed before its pod was made",
            scene().registrationGone().start(StartState.NEW.prepared(7)),
            "replace"),
        new Row(
            "a pod that runs another registration",
            scene().phase(RunnerPhase.PENDING).registeredAs(8).running(),
            "FAILED:RegistrationMismatch"),
        new Row(
            "a pod that runs another registration, with a job",
            scene().phase(RunnerPhase.RUNNING).registeredAs(8).busy().running(),
            "nothing"),
        new Row("we made a pod: never another", scene().memory(made(-1)), "confirm-loss"),
        new Row("the status names a pod", scene().phase(RunnerPhase.RUNNING), "confirm-loss"),
        new Row("busy without a pod", scene().busy(), "confirm-loss"),
        new Row("its job is over and its pod gone", scene().completed(), "exit0"),
        new Row("terminal", scene().phase(RunnerPhase.FAILED), "nothing"));
  }

  static Stream<Row> pending() {
    var told = scene().phase(RunnerPhase.PENDING);
    return Stream.of(
        new Row(
            "within 2 s nothing is written",
            scene().memory(made(-1)).waiting("ContainerCreating", -1),
            "note:ContainerCreating again+1000"),
        new Row(
            "at 2 s it is",
            scene().memory(made(-2)).waiting("ContainerCreating", -2),
            "note:ContainerCreating PENDING again+20000"),
        new Row(
            "after a restart the pod's age counts",
            scene().waiting("", -2),
            "note:ContainerCreating PENDING again+20000"),
        new Row(
            "once", told.waiting("ContainerCreating", -60), "note:ContainerCreating again+20000"),
        new Row(
            "a container that is being made for 20 s is told",
            scene()
                .phase(RunnerPhase.PENDING)
                .start(creatingSince(-20))
                .waiting("ContainerCreating", -60),
            "note:ContainerCreating PENDING:told again+540000"),
        new Row(
            "an image may take two minutes: 119 s",
            scene()
                .phase(RunnerPhase.PENDING)
                .start(creatingSince(-119))
                .sandboxReady()
                .waiting("ContainerCreating", -180),
            "note:ContainerCreating again+1000"),
        new Row(
            "an image may take two minutes: 120 s",
            scene()
                .phase(RunnerPhase.PENDING)
                .start(creatingSince(-120))
                .sandboxReady()
                .waiting("ContainerCreating", -180),
            "note:ContainerCreating PENDING:told again+420000"),
        new Row(
            "an init container runs: no trouble",
            scene().phase(RunnerPhase.PENDING).initializing().waiting("PodInitializing", -60),
            "again+540000"),
        new Row(
            "an init container cannot be pulled",
            scene()
                .phase(RunnerPhase.PENDING)
                .obstacle("init container", "ErrImagePull", "not found")
                .waiting("PodInitializing", -60),
            "note:ImagePullBackOff again+10000"),
        new Row(
            "RN16 a start of 9:59",
            scene().phase(RunnerPhase.PENDING).initializing().waiting("PodInitializing", -599),
            "again+1000"),
        new Row(
            "RN16 a start of 10:00 is ended, the service first",
            scene().phase(RunnerPhase.PENDING).waiting("ImagePullBackOff", -600),
            "remove"),
        new Row(
            "RN16 its registration is gone: it has failed, and its pod goes",
            scene().phase(RunnerPhase.PENDING).registrationGone().waiting("ErrImagePull", -600),
            "FAILED:StartupOverdue delete-pod"),
        new Row(
            "RN16 the service says that it has a job: it stays",
            scene().phase(RunnerPhase.PENDING).suspectUntil(300).waiting("ErrImagePull", -600),
            "again+300000"),
        new Row(
            "RN16 a runner with a job is not ended",
            scene()
                .phase(RunnerPhase.PENDING)
                .busy()
                .start(StartState.UNSEEN.waitingFor(Scene.stuckSince(-9)))
                .waiting("ImagePullBackOff", -900),
            "again+1000"),
        new Row(
            "a trouble is noted",
            scene().phase(RunnerPhase.PENDING).waiting("ErrImagePull", -60),
            "note:ImagePullBackOff again+10000"),
        new Row(
            "not told before 10 s",
            scene()
                .phase(RunnerPhase.PENDING)
                .waiting("ImagePullBackOff", -60)
                .start(StartState.UNSEEN.waitingFor(Scene.stuckSince(-9))),
            "again+1000"),
        new Row(
            "told at 10 s, whatever it is called meanwhile",
            scene()
                .phase(RunnerPhase.PENDING)
                .waiting("ErrImagePull", -60)
                .start(StartState.UNSEEN.waitingFor(Scene.stuckSince(-10))),
            "PENDING:told again+540000"),
        new Row(
            "told with the write that is due",
            scene().waiting("ImagePullBackOff", -2),
            "note:ImagePullBackOff PENDING:told again+598000"));
  }

  private static RemovalState registrationRemoved() {
    return RemovalState.NONE.removed(Scene.NOW, true);
  }

  private static RunnerMemory unregistered() {
    return RunnerMemory.NONE.judged(true, null);
  }

  private static StartState creatingSince(long seconds) {
    return StartState.UNSEEN.waitingFor(
        new StartProblem(ConditionType.STARTED, RunnerReason.CONTAINER_CREATING, "m", at(seconds)));
  }

  static Stream<Row> running() {
    return Stream.of(
        new Row("runs: one write", scene().memory(made(-1)).running(), "RUNNING"),
        new Row("runs and told", scene().phase(RunnerPhase.RUNNING).running(), "nothing"),
        new Row("busy and runs", scene().phase(RunnerPhase.RUNNING).busy().running(), "nothing"),
        new Row(
            "completion heard, still runs",
            scene().phase(RunnerPhase.RUNNING).completed().running(),
            "nothing"),
        new Row(
            "RN16 not registered in time: the service is asked",
            scene().phase(RunnerPhase.RUNNING).running().memory(unregistered()),
            "remove"),
        new Row(
            "RN16 not registered in time, and its registration is gone",
            scene().phase(RunnerPhase.RUNNING).running().registrationGone().memory(unregistered()),
            "FAILED:RegistrationOverdue delete-pod"),
        new Row(
            "RN16 it was not registered in time, and the failure could not be written",
            scene().phase(RunnerPhase.RUNNING).running().removal(registrationRemoved()),
            "FAILED:RegistrationOverdue delete-pod"),
        new Row(
            "RN16 its registration went for an earlier deadline, and now its container runs",
            scene().phase(RunnerPhase.PENDING).running().removal(registrationRemoved()),
            "FAILED:StartupOverdue delete-pod"),
        new Row(
            "SD5 its registration was removed as surplus: its set deletes it",
            scene().phase(RunnerPhase.RUNNING).running().registrationGone(),
            "nothing"),
        new Row(
            "I1 its registration was removed, and it has a job",
            scene().phase(RunnerPhase.RUNNING).busy().running().removal(registrationRemoved()),
            "nothing"),
        new Row(
            "I1 not registered in time, they say, and it has a job",
            scene().phase(RunnerPhase.RUNNING).busy().running().memory(unregistered()),
            "nothing"),
        new Row(
            "a failed pod does not outvote its runner",
            scene()
                .phase(RunnerPhase.RUNNING)
                .pod("Failed", "x", new PodView.RunnerContainer.Running(at(-5))),
            "nothing"));
  }

  static Stream<Row> zero() {
    return Stream.of(
        new Row(
            "exit 0, completed, of a set: no write", scene().completed().exited(0, -1), "exit0"),
        new Row(
            "exit 0, completed, standalone",
            scene().standalone("runner").completed().exited(0, -1),
            "exit0 SUCCEEDED"),
        new Row("exit 0, unmarked, 29 s", scene().exited(0, -29), "exit0 again+1000"),
        new Row(
            "exit 0, unmarked, 30 s: look-and-ask", scene().exited(0, -30), "exit0 look-and-ask"),
        new Row(
            "7.3 its registration was left behind: it had no job",
            scene().leftItsRegistration().exited(0, -30),
            "exit0 FAILED:ExitedWithoutJob"),
        new Row(
            "7.3 its registration was gone: it had a job that nobody heard of",
            scene().registrationGone().exited(0, -30),
            "exit0 SUCCEEDED"),
        new Row(
            "the mark may still come",
            scene().registrationGone().exited(0, -29),
            "exit0 again+1000"),
        new Row(
            "unmarked, and the service does not answer",
            scene().removal(RemovalState.NONE.failed(at(-1), false)).exited(0, -30),
            "exit0 again+1000"),
        new Row(
            "unmarked, and the service says that it has a job",
            scene().suspectUntil(300).refusals(2).exited(0, -40),
            "exit0 again+300000"),
        new Row(
            "unmarked, and the service said before its end that it has a job (SD5)",
            scene().suspectUntil(200).exited(0, -40),
            "exit0 look-and-ask"),
        new Row("exit 0, busy, 29 s", scene().busy().exited(0, -29), "exit0 again+1000"),
        new Row("exit 0, busy, 30 s: ask", scene().busy().exited(0, -30), "exit0 ask"),
        new Row("removed: ended", scene().busy().registrationGone().exited(0, -30), "exit0"),
        new Row(
            "removed: ended, standalone",
            scene().standalone("runner").busy().registrationGone().exited(0, -30),
            "exit0 SUCCEEDED"),
        new Row(
            "refused: once more, 30 s later (SD5)",
            scene()
                .busy()
                .suspectUntil(300)
                .removal(RemovalState.NONE.answered(at(30)))
                .exited(0, -40),
            "exit0 again+30000"),
        new Row(
            "refused twice: later (I3)",
            scene().busy().suspectUntil(300).refusals(2).exited(0, -40),
            "exit0 again+300000"),
        new Row("refused, over", scene().busy().suspectUntil(0).exited(0, -40), "exit0 ask"),
        new Row(
            "the pod went after its end",
            scene().phase(RunnerPhase.RUNNING).exitKnown(0, -5),
            "exit0 again+25000"));
  }

  static Stream<Row> failures() {
    return Stream.of(
        new Row(
            "its pod was deleted: exit 143",
            scene().podDeleted().datedByItsNode(143, -1),
            "exit143 FAILED:PodDeleted"),
        new Row(
            "its pod was deleted and is gone: exit 0, 30 s",
            scene().phase(RunnerPhase.RUNNING).exitOfDeletedPod(0, -30),
            "exit0 look-and-ask"),
        new Row(
            "its pod was deleted while it was idle",
            scene().phase(RunnerPhase.RUNNING).leftItsRegistration().exitOfDeletedPod(0, -30),
            "exit0 FAILED:PodDeleted"),
        new Row(
            "its pod was deleted: exit 0, 1 s: look at once, again by the end of the window",
            scene().podDeleted().datedByItsNode(0, -1),
            "exit0 look-early again+30000"),
        new Row(
            "a disruption that deletes no pod: exit 0, 1 s",
            scene().disruptedBy("TerminationByKubelet").datedByItsNode(0, -1),
            "exit0 look-early again+30000"),
        new Row(
            "its pod was deleted, and it had no job: its place is filled at once",
            scene().podDeleted().leftItsRegistration().datedByItsNode(0, -1),
            "exit0 FAILED:PodDeleted"),
        new Row(
            "its pod was deleted, and its registration is gone: a mark may come",
            scene().podDeleted().removal(RemovalState.NONE.answered(at(29))).datedByItsNode(0, -1),
            "exit0 again+29000"),
        new Row(
            "its pod was deleted with its job",
            scene().podDeleted().busy().datedByItsNode(0, -1),
            "exit0 again+30000"),
        new Row(
            "the pod of a standalone runner was deleted",
            scene().standalone("runner").podDeleted().datedByItsNode(0, -1),
            "exit0 again+30000"),
        new Row(
            "its pod was deleted after its end",
            scene().exitKnown(1, -5).podDeleted().exited(1, -5),
            "exit1 FAILED:ContainerExited"),
        new Row(
            "its pod was evicted, then deleted",
            scene()
                .podDeleted()
                .pod(
                    "Failed",
                    "Evicted",
                    new PodView.RunnerContainer.Terminated(137, "Error", "", null, at(-1))),
            "exit137 FAILED:Evicted"),
        new Row("exit 7, unmarked: ask at once", scene().exited(7, -1), "exit7 look-and-ask"),
        new Row(
            "exit 7 without a job",
            scene().leftItsRegistration().exited(7, -1),
            "exit7 OUTDATED:RunnerVersionRejected"),
        new Row(
            "exit 7 after a job that nobody heard of refuses no version",
            scene().registrationGone().exited(7, -1),
            "exit7 FAILED:ContainerExited"),
        new Row(
            "exit 7 of a runner with a job refuses no version",
            scene().busy().exited(7, -1),
            "exit7 FAILED:ContainerExited"),
        new Row(
            "exit 7 of a runner whose job is over",
            scene().completed().exited(7, -1),
            "exit7 FAILED:ContainerExited"),
        new Row("exit 1", scene().exited(1, -1, "Error"), "exit1 FAILED:ContainerExited"),
        new Row("out of memory", scene().exited(137, -1, "OOMKilled"), "exit137 FAILED:OOMKilled"),
        new Row(
            "evicted with a container that ended",
            scene()
                .pod(
                    "Failed",
                    "Evicted",
                    new PodView.RunnerContainer.Terminated(137, "Error", "", null, at(-1))),
            "exit137 FAILED:Evicted"),
        new Row("evicted before it ran", scene().overUntold("Failed", "Evicted"), "FAILED:Evicted"),
        new Row(
            "a pod that ended without a word of its runner",
            scene().overUntold("Failed", ""),
            "FAILED:PodFailed"),
        new Row(
            "a pod that failed after its runner's job was over",
            scene().completed().overUntold("Failed", "Evicted"),
            "exit0"),
        new Row(
            "the container's end was seen before its status was lost",
            scene().overUntold("Failed", "Evicted").exitKnown(1, -5),
            "exit1 FAILED:Evicted"));
  }

  /** A pod succeeds only when each of its containers exits with 0 (RN8). */
  static Stream<Row> succeededUntold() {
    return Stream.of(
        new Row("4 its job is over", scene().completed().overUntold("Succeeded", ""), "exit0"),
        new Row("4 unmarked, just seen", scene().overUntold("Succeeded", ""), "exit0 again+30000"),
        new Row(
            "4 marked, just seen", scene().busy().overUntold("Succeeded", ""), "exit0 again+30000"),
        new Row(
            "4 marked, seen 30 s ago",
            scene().busy().overUntold("Succeeded", "").exitKnown(0, -30),
            "exit0 ask"),
        new Row(
            "4 unmarked, seen 30 s ago",
            scene().overUntold("Succeeded", "").exitKnown(0, -30),
            "exit0 look-and-ask"));
  }

  /** The clock of a node may differ from ours: ours decides (LV3). */
  static Stream<Row> clocks() {
    return Stream.of(
        new Row(
            "4 the node's clock is an hour ahead",
            scene().datedByItsNode(0, 3600),
            "exit0 again+30000"),
        new Row(
            "4 and 30 s after it was first seen",
            scene().datedByItsNode(0, 3600).exitKnown(0, -30),
            "exit0 look-and-ask"),
        new Row(
            "4 the node's clock is 40 s behind",
            scene().datedByItsNode(0, -40),
            "exit0 again+30000"),
        new Row(
            "4 the same with a job", scene().busy().datedByItsNode(0, -40), "exit0 again+30000"),
        new Row(
            "4 10 s after it was first seen",
            scene().datedByItsNode(0, -50).exitKnown(0, -10),
            "exit0 again+20000"),
        new Row(
            "4 the node's clock is almost an hour behind",
            scene().datedByItsNode(0, -3600),
            "exit0 again+30000"),
        new Row(
            "4 an end of long ago is settled, however often this process restarts",
            scene().datedByItsNode(0, -3630),
            "exit0 look-and-ask"),
        new Row(
            "6 a pod made in the future by the server's clock: told at once",
            scene().waiting("ContainerCreating", 3600),
            "note:ContainerCreating PENDING again+20000"));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void decides(Row row) {
    assertThat(Scene.words(RunnerLifecycle.decide(row.given().observed())))
        .isEqualTo(row.expected());
  }

  @Test
  void whatWeWroteCountsEvenIfTheCacheIsBehind() {
    var first = new Scene().memory(made(-1)).running().observed();
    var written = RunnerStatuses.running(first, at(-5));
    var again =
        new Scene().memory(made(-1).with(new WrittenStatus(written, "7"))).running().observed();
    assertThat(Scene.words(RunnerLifecycle.decide(again))).isEqualTo("nothing");
  }

  @Test
  void ourPartHoldsNothingOfTheOtherWriters() {
    var observed = new Scene().completed().suspectUntil(9).running().observed();
    var status = RunnerStatuses.running(observed, at(-5));
    assertThat(status).isEqualTo(RunnerStatuses.ownPartOf(status));
    assertThat(status.runnerId()).isEqualTo(7L);
    assertThat(status.idleSince()).isEqualTo(Scene.NOW);
  }

  @Test
  void anAgeThatIsMissingBeginsNowAndAKnownOneIsKept() {
    var cleared = new Scene().ageless().running().observed();
    assertThat(Scene.words(RunnerLifecycle.decide(cleared))).isNotEqualTo("nothing");
    assertThat(RunnerStatuses.running(cleared, at(-500)).idleSince()).isEqualTo(Scene.NOW);
    var known = new Scene().phase(RunnerPhase.RUNNING).running().observed();
    assertThat(Scene.words(RunnerLifecycle.decide(known))).isEqualTo("nothing");
    assertThat(RunnerStatuses.running(known, at(-500)).idleSince()).isEqualTo(at(-5));
  }

  @Test
  void anAgeThatSomebodyClearedBeginsNowEvenIfThisProcessWroteIt() {
    var first = new Scene().memory(made(-1)).running().observed();
    var written = new WrittenStatus(RunnerStatuses.running(first, at(-5)), "7");
    var wrote = made(-1).with(written);
    var cleared = new Scene().ageless().memory(wrote).running().observed();
    assertThat(RunnerStatuses.running(cleared, at(-5)).idleSince()).isEqualTo(Scene.NOW);
  }

  @Test
  void aBusyRunnerNeedsNoAge() {
    var busy = new Scene().ageless().busy().running().observed();
    assertThat(Scene.words(RunnerLifecycle.decide(busy))).isEqualTo("nothing");
  }

  @Test
  void theIdleTimeBeginsWhenWeSeeItRunWhateverTheClockOfItsNodeSays() {
    for (long skew : new long[] {-3600, -40, 0, 40, 3600}) {
      var observed = new Scene().memory(made(-1)).running(skew).observed();
      var status = RunnerStatuses.running(observed, at(skew));
      assertThat(status.idleSince()).as("node's clock %d s off", skew).isEqualTo(Scene.NOW);
      assertThat(requireNonNull(status.timeline()).started())
          .as("node's clock %d s off", skew)
          .isEqualTo(at(Math.min(skew, 0)));
    }
  }

  @Test
  void theEndInTheStatusIsOurTimeAndNothingOfTheTimelineIsLater() {
    var observed = new Scene().datedByItsNode(1, 300).exitKnown(1, -2).observed();
    var status = written(RunnerLifecycle.decide(observed));
    assertThat(status.completionTime()).isEqualTo(at(-2));
    var timeline = requireNonNull(status.timeline());
    assertThat(timeline.finished()).isEqualTo(at(-2));
    assertThat(timeline.started()).as("240 s ahead").isEqualTo(at(-2));
  }

  @Test
  void aFailureTellsThatAJobWasLostWithIt() {
    var lost = "the runner had a job when it ended: ";
    assertThat(message(new Scene().busy().overUntold("Failed", "Evicted"))).startsWith(lost);
    assertThat(message(new Scene().busy().exited(137, -1, "OOMKilled"))).startsWith(lost);
    assertThat(message(new Scene().overUntold("Failed", "Evicted"))).doesNotContain(lost);
    assertThat(message(new Scene().completed().exited(1, -1, "Error"))).doesNotContain(lost);
  }

  @Test
  void aRunnerWhosePodIsForbiddenForTooLongFailsWithTheWordsOfTheServer() {
    var observed = new Scene().start(forbiddenSince(-600, -1)).observed();
    var failure = requireNonNull(written(RunnerLifecycle.decide(observed)).failure());
    assertThat(failure.message()).isEqualTo("exceeded quota");
  }

  private static String message(Scene scene) {
    var failure = requireNonNull(written(RunnerLifecycle.decide(scene.observed())).failure());
    return requireNonNull(failure.message());
  }

  private static EphemeralRunnerStatus written(RunnerDecision decision) {
    return decision.actions().stream()
        .filter(RunnerAction.WriteStatus.class::isInstance)
        .map(action -> ((RunnerAction.WriteStatus) action).status())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void messagesAreBounded() {
    assertThat(RunnerStatuses.failure(RunnerReason.POD_FAILED, "x".repeat(2000), 1).message())
        .hasSize(500);
  }
}
