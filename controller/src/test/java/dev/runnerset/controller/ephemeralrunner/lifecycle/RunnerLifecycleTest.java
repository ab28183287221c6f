package dev.runnerset.controller.ephemeralrunner.lifecycle;

import static dev.runnerset.controller.ephemeralrunner.lifecycle.Scene.at;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.condition.RunnerReason;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RunnerLifecycleTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # it has no pod yet
          its revision is there: start | | start:runner
          a later generation, same revision | ofSet(r1,9,set-uid) | start:runner
          a stale cache is waited for | ofSet(r0,2,set-uid) | again+200
          another revision: replace | ofSet(r2,4,set-uid) | replace
          another revision, same generation | ofSet(r2,3,set-uid) | replace
          another scale set: replace | ofSetRegisteredAgain(4) | replace
          another scale set, and a backoff that is not over | ofSetRegisteredAgain(4) failedBefore(-4,REGISTRATION_MADE) | replace
          another scale set in a stale cache is waited for | ofSetRegisteredAgain(2) | again+200
          another scale set, and a pod is made | ofSetRegisteredAgain(4) made(-1) | confirm-loss
          no set in the cache | withoutSet | again+200
          a set of another uid | ofSet(r1,3,other) | again+200
          standalone: its own template | standalone(runner) | start:runner
          no runner container | standalone(main) | FAILED:InvalidTemplate
          backoff not over | failedBefore(-4,REGISTRATION_MADE) | again+1000
          backoff over | failedBefore(-5,REGISTRATION_MADE) | start:runner
          a forbidden pod is reported at once | failedBefore(0,SCHEDULED) | PENDING again+5000
          RN16 a pod that is forbidden for 9 min 56 s is tried again | forbiddenSince(-596,-596) | start:runner
          RN16 a wait ends with the deadline | forbiddenSince(-596,-1) reportedForbidden | again+4000
          RN16 forbidden for 10 min: failed, whenever the next try were due | forbiddenSince(-600,-1) reportedForbidden | FAILED:PodForbidden
          RN13 a quota refuses its pod for 9 min 54 s: tried again | quotaSince(-594,-594) | start:runner
          RN13 a quota refuses its pod for 10 min: another one is registered for it | quotaSince(-600,-1) | replace
          RN13 not begun for an hour, since a quota refuses another one | notBegunSince(-3600,-1) | start:runner
          RN13 not begun, and not its turn | notBegunSince(-3600,2) | PENDING again+2000
          a namespace that goes away | parked | nothing
          I6: a start of unknown outcome is not tried again | failedBefore(0,SCHEDULED) uncertain | give-up
          a start of unknown outcome whose pod came | uncertain running | RUNNING
          its registration was removed before its pod was made | registrationGone prepared | replace
          a pod that runs another registration | phase(PENDING) registeredAs(8) running | FAILED:RegistrationMismatch
          a pod that runs another registration, with a job | phase(RUNNING) registeredAs(8) busy running | nothing
          we made a pod: never another | made(-1) | confirm-loss
          the status names a pod | phase(RUNNING) | confirm-loss
          busy without a pod | busy | confirm-loss
          its job is over and its pod gone | completed | exit0
          terminal | phase(FAILED) | nothing
          # its container does not run yet
          within 30 s nothing is written | made(-29) waiting(ContainerCreating,-29) | note:ContainerCreating again+1000
          at 30 s it is | made(-30) waiting(ContainerCreating,-30) | note:ContainerCreating PENDING again+20000
          after a restart the pod's age counts | waiting(,-30) | note:ContainerCreating PENDING again+20000
          a problem that lasts is reported within 30 s | made(-12) waiting(ErrImagePull,-12) withoutImageSince(-10) | PENDING:reported again+588000
          once | phase(PENDING) waiting(ContainerCreating,-60) | note:ContainerCreating again+20000
          a container that is being made for 20 s is reported | phase(PENDING) creatingSince(-20) waiting(ContainerCreating,-60) | note:ContainerCreating PENDING:reported again+540000
          an image may take two minutes: 119 s | phase(PENDING) creatingSince(-119) sandboxReady waiting(ContainerCreating,-180) | note:ContainerCreating again+1000
          an image may take two minutes: 120 s | phase(PENDING) creatingSince(-120) sandboxReady waiting(ContainerCreating,-180) | note:ContainerCreating PENDING:reported again+420000
          an init container runs: no problem | phase(PENDING) initializing waiting(PodInitializing,-60) | again+540000
          an init container cannot be pulled | phase(PENDING) obstacle(init_container,ErrImagePull,not_found) waiting(PodInitializing,-60) | note:ImagePullBackOff again+10000
          RN16 a start of 9:59 | phase(PENDING) initializing waiting(PodInitializing,-599) | again+1000
          RN16 a start of 10:00 is ended, the service first | phase(PENDING) waiting(ImagePullBackOff,-600) | remove
          RN16 its registration is gone: it has failed, and its pod goes | phase(PENDING) registrationGone waiting(ErrImagePull,-600) | FAILED:StartupOverdue delete-pod
          RN16 the service says that it has a job: it stays | phase(PENDING) suspectUntil(300) waiting(ErrImagePull,-600) | again+300000
          RN16 a runner with a job is not ended | phase(PENDING) busy withoutImageSince(-9) waiting(ImagePullBackOff,-900) | again+1000
          a problem is noted | phase(PENDING) waiting(ErrImagePull,-60) | note:ImagePullBackOff again+10000
          not reported before 10 s | phase(PENDING) waiting(ImagePullBackOff,-60) withoutImageSince(-9) | again+1000
          reported at 10 s, whatever it is called meanwhile | phase(PENDING) waiting(ErrImagePull,-60) withoutImageSince(-10) | PENDING:reported again+540000
          reported with the write that is due | waiting(ImagePullBackOff,-30) | note:ImagePullBackOff PENDING:reported again+570000
          # its container runs
          runs: one write | made(-1) running | RUNNING
          runs and reported | phase(RUNNING) running | nothing
          busy and runs | phase(RUNNING) busy running | nothing
          completion heard, still runs | phase(RUNNING) completed running | nothing
          RN16 not registered in time: the service is asked | phase(RUNNING) running unregistered | remove
          RN16 not registered in time, and its registration is gone | phase(RUNNING) running registrationGone unregistered | FAILED:RegistrationOverdue delete-pod
          RN16 it was not registered in time, and the failure could not be written | phase(RUNNING) running leftItsRegistration | FAILED:RegistrationOverdue delete-pod
          RN16 its registration went for an earlier deadline, and now its container runs | phase(PENDING) running leftItsRegistration | FAILED:StartupOverdue delete-pod
          SD5 its registration was removed as surplus: its set deletes it | phase(RUNNING) running registrationGone | nothing
          I1 its registration was removed, and it has a job | phase(RUNNING) busy running leftItsRegistration | nothing
          I1 not registered in time, they say, and it has a job | phase(RUNNING) busy running unregistered | nothing
          a failed pod does not outvote its runner | phase(RUNNING) runningInPod(Failed,x) | nothing
          # its container exited with 0
          exit 0, completed, of a set: no write | completed exited(0,-1) | exit0
          exit 0, completed, standalone | standalone(runner) completed exited(0,-1) | exit0 SUCCEEDED
          exit 0, unmarked, 29 s | exited(0,-29) | exit0 again+1000
          exit 0, unmarked, 30 s: look-and-ask | exited(0,-30) | exit0 look-and-ask
          7.3 its registration was left behind: it had no job | leftItsRegistration exited(0,-30) | exit0 FAILED:ExitedWithoutJob
          7.3 its registration was gone: it had a job that nobody heard of | registrationGone exited(0,-30) | exit0 SUCCEEDED
          the mark may still come | registrationGone exited(0,-29) | exit0 again+1000
          unmarked, and the service does not answer | removalFailed(1,-1) exited(0,-30) | exit0 again+1000
          unmarked, and the service says that it has a job | suspectUntil(300) refusals(2) exited(0,-40) | exit0 again+300000
          unmarked, and the service said before its end that it has a job (SD5) | suspectUntil(200) exited(0,-40) | exit0 look-and-ask
          exit 0, busy, 29 s | busy exited(0,-29) | exit0 again+1000
          exit 0, busy, 30 s: ask | busy exited(0,-30) | exit0 ask
          removed: ended | busy registrationGone exited(0,-30) | exit0
          removed: ended, standalone | standalone(runner) busy registrationGone exited(0,-30) | exit0 SUCCEEDED
          refused: once more, 30 s later (SD5) | busy suspectUntil(300) answered(30) exited(0,-40) | exit0 again+30000
          refused twice: later (I3) | busy suspectUntil(300) refusals(2) exited(0,-40) | exit0 again+300000
          refused, over | busy suspectUntil(0) exited(0,-40) | exit0 ask
          the pod went after its end | phase(RUNNING) exitKnown(0,-5) | exit0 again+25000
          # its container exited with another code, or its pod ended
          its pod was deleted: exit 143 | podDeleted datedByItsNode(143,-1) | exit143 FAILED:PodDeleted
          its pod was deleted and is gone: exit 0, 30 s | phase(RUNNING) exitOfDeletedPod(0,-30) | exit0 look-and-ask
          its pod was deleted while it was idle | phase(RUNNING) leftItsRegistration exitOfDeletedPod(0,-30) | exit0 FAILED:PodDeleted
          its pod was deleted: exit 0, 1 s: look at once, again by the end of the window | podDeleted datedByItsNode(0,-1) | exit0 look-early again+30000
          a disruption that deletes no pod: exit 0, 1 s | disruptedBy(TerminationByKubelet) datedByItsNode(0,-1) | exit0 look-early again+30000
          its pod was deleted, and it had no job: its place is filled at once | podDeleted leftItsRegistration datedByItsNode(0,-1) | exit0 FAILED:PodDeleted
          its pod was deleted, and its registration is gone: a mark may come | podDeleted answered(29) datedByItsNode(0,-1) | exit0 again+29000
          its pod was deleted with its job | podDeleted busy datedByItsNode(0,-1) | exit0 again+30000
          the pod of a standalone runner was deleted | standalone(runner) podDeleted datedByItsNode(0,-1) | exit0 again+30000
          its pod was deleted after its end | exitKnown(1,-5) podDeleted exited(1,-5) | exit1 FAILED:ContainerExited
          its pod was evicted, then deleted | podDeleted exitedInPod(Failed,Evicted,137) | exit137 FAILED:Evicted
          exit 7, unmarked: ask at once | exited(7,-1) | exit7 look-and-ask
          exit 7 without a job | leftItsRegistration exited(7,-1) | exit7 OUTDATED:RunnerVersionRejected
          exit 7 after a job that nobody heard of refuses no version | registrationGone exited(7,-1) | exit7 FAILED:ContainerExited
          exit 7 of a runner with a job refuses no version | busy exited(7,-1) | exit7 FAILED:ContainerExited
          exit 7 of a runner whose job is over | completed exited(7,-1) | exit7 FAILED:ContainerExited
          exit 1 | exited(1,-1,Error) | exit1 FAILED:ContainerExited
          out of memory | exited(137,-1,OOMKilled) | exit137 FAILED:OOMKilled
          evicted with a container that ended | exitedInPod(Failed,Evicted,137) | exit137 FAILED:Evicted
          evicted before it ran | overNotReported(Failed,Evicted) | FAILED:Evicted
          a pod that ended without a word of its runner | overNotReported(Failed,) | FAILED:PodFailed
          a pod that failed after its runner's job was over | completed overNotReported(Failed,Evicted) | exit0
          the container's end was seen before its status was lost | overNotReported(Failed,Evicted) exitKnown(1,-5) | exit1 FAILED:Evicted
          # a pod succeeds only when each of its containers exits with 0 (RN8)
          LV7 its job is over | completed overNotReported(Succeeded,) | exit0
          LV7 unmarked, just seen | overNotReported(Succeeded,) | exit0 again+30000
          LV7 marked, just seen | busy overNotReported(Succeeded,) | exit0 again+30000
          LV7 marked, seen 30 s ago | busy overNotReported(Succeeded,) exitKnown(0,-30) | exit0 ask
          LV7 unmarked, seen 30 s ago | overNotReported(Succeeded,) exitKnown(0,-30) | exit0 look-and-ask
          # the clock of a node may differ from ours: ours decides (LV3)
          LV7 the node's clock is an hour ahead | datedByItsNode(0,3600) | exit0 again+30000
          LV7 and 30 s after it was first seen | datedByItsNode(0,3600) exitKnown(0,-30) | exit0 look-and-ask
          LV7 the node's clock is 40 s behind | datedByItsNode(0,-40) | exit0 again+30000
          LV7 the same with a job | busy datedByItsNode(0,-40) | exit0 again+30000
          LV7 10 s after it was first seen | datedByItsNode(0,-50) exitKnown(0,-10) | exit0 again+20000
          LV7 the node's clock is almost an hour behind | datedByItsNode(0,-3600) | exit0 again+30000
          LV7 an end of long ago is settled, however often this process restarts | datedByItsNode(0,-3630) | exit0 look-and-ask
          RN6 a pod made in the future by the server's clock: reported at once | waiting(ContainerCreating,3600) | note:ContainerCreating PENDING again+20000
          """)
  void decides(String rule, @Nullable String given, String expected) {
    assertThat(Scene.words(RunnerLifecycle.decide(Scene.of(given).observed()))).isEqualTo(expected);
  }

  @Test
  void whatWeWroteCountsEvenIfTheCacheIsBehind() {
    var first = new Scene().made(-1).running().observed();
    var written = RunnerStatuses.running(first, at(-5));
    var again =
        new Scene()
            .memory(RunnerMemory.NONE.made(7L, at(-1)).with(new WrittenStatus(written, "7")))
            .running()
            .observed();
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
    var first = new Scene().made(-1).running().observed();
    var written = new WrittenStatus(RunnerStatuses.running(first, at(-5)), "7");
    var wrote = RunnerMemory.NONE.made(7L, at(-1)).with(written);
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
      var observed = new Scene().made(-1).running(skew).observed();
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
    var lost = "the end of its job was not known when the runner ended: ";
    assertThat(message(new Scene().busy().overNotReported("Failed", "Evicted"))).startsWith(lost);
    assertThat(message(new Scene().busy().exited(137, -1, "OOMKilled"))).startsWith(lost);
    assertThat(message(new Scene().overNotReported("Failed", "Evicted"))).doesNotContain(lost);
    assertThat(message(new Scene().completed().exited(1, -1, "Error"))).doesNotContain(lost);
  }

  @Test
  void aRunnerWhosePodIsForbiddenForTooLongFailsWithTheWordsOfTheServer() {
    var observed = new Scene().forbiddenSince(-600, -1).observed();
    var failure = requireNonNull(written(RunnerLifecycle.decide(observed)).failure());
    assertThat(failure.message()).isEqualTo("denied by a policy");
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
