package dev.runnerset.controller.ephemeralrunner.lifecycle;

import static dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerSituation.at;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.removal.Situation;
import dev.runnerset.crds.EphemeralRunnerStatus;
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
          a later generation, same revision | set=r1/9 | start:runner
          a stale cache is waited for | set=r0/2 | again+200
          another revision: replace | set=r2/4 | replace
          another revision, same generation | set=r2/3 | replace
          another scale set: replace | setRegisteredAgain4 | replace
          another scale set, and a backoff that is not over | setRegisteredAgain4 failedBefore=REGISTRATION_MADE@-4 | replace
          another scale set in a stale cache is waited for | setRegisteredAgain2 | again+200
          another scale set, and a pod is made | setRegisteredAgain4 made-1 | confirm-loss
          no set in the cache | set=none | again+200
          a set of another uid | set=r1/3/other | again+200
          standalone: its own template | standalone=runner | start:runner
          no runner container | standalone=main | FAILED:InvalidTemplate
          backoff not over | failedBefore=REGISTRATION_MADE@-4 | again+1000
          backoff over | failedBefore=REGISTRATION_MADE@-5 | start:runner
          a forbidden pod is reported at once | failedBefore=SCHEDULED@0 | PENDING again+5000
          RN16 a pod that is forbidden for 9 min 56 s is tried again | forbidden=-596/-596 | start:runner
          RN16 a wait ends with the deadline | forbidden=-596/-1 reportedForbidden | again+4000
          RN16 forbidden for 10 min: failed, whenever the next try were due | forbidden=-600/-1 reportedForbidden | FAILED:PodForbidden
          RN13 a quota refuses its pod for 9 min 54 s: tried again | quota=-594/-594 | start:runner
          RN13 a quota refuses its pod for 10 min: another one is registered for it | quota=-600/-1 | replace
          RN13 not begun for an hour, since a quota refuses another one | notBegun=-3600/-1 | start:runner
          RN13 not begun, and not its turn | notBegun=-3600/2 | PENDING again+2000
          a namespace that goes away | parked | nothing
          I6: a start of unknown outcome is not tried again | failedBefore=SCHEDULED@0 uncertain | give-up
          a start of unknown outcome whose pod came | uncertain running | RUNNING
          its registration was removed before its pod was made | registrationGone prepared | replace
          a pod that runs another registration | PENDING registeredAs8 running | FAILED:RegistrationMismatch
          a pod that runs another registration, with a job | RUNNING registeredAs8 busy running | nothing
          we made a pod: never another | made-1 | confirm-loss
          the status names a pod | RUNNING | confirm-loss
          busy without a pod | busy | confirm-loss
          its job is over and its pod gone | done5 | exit0
          terminal | FAILED | nothing
          # its container does not run yet
          within 30 s nothing is written | made-29 waiting=ContainerCreating@-29 | note:ContainerCreating again+1000
          at 30 s it is | made-30 waiting=ContainerCreating@-30 | note:ContainerCreating PENDING again+20000
          after a restart the pod's age counts | waiting@-30 | note:ContainerCreating PENDING again+20000
          a problem that lasts is reported within 30 s | made-12 waiting=ErrImagePull@-12 withoutImage-10 | PENDING:reported again+588000
          once | PENDING waiting=ContainerCreating@-60 | note:ContainerCreating again+20000
          a container that is being made for 20 s is reported | PENDING creating-20 waiting=ContainerCreating@-60 | note:ContainerCreating PENDING:reported again+540000
          an image may take two minutes: 119 s | PENDING creating-119 sandboxReady waiting=ContainerCreating@-180 | note:ContainerCreating again+1000
          an image may take two minutes: 120 s | PENDING creating-120 sandboxReady waiting=ContainerCreating@-180 | note:ContainerCreating PENDING:reported again+420000
          an init container runs: no problem | PENDING initializing waiting=PodInitializing@-60 | again+540000
          an init container cannot be pulled | PENDING obstacle=init_container/ErrImagePull/not_found waiting=PodInitializing@-60 | note:ImagePullBackOff again+10000
          RN16 a start of 9:59 | PENDING initializing waiting=PodInitializing@-599 | again+1000
          RN16 a start of 10:00 is ended, the service first | PENDING waiting=ImagePullBackOff@-600 | remove
          RN16 its registration is gone: it has failed, and its pod goes | PENDING registrationGone waiting=ErrImagePull@-600 | FAILED:StartupOverdue delete-pod
          RN16 the service says that it has a job: it stays | PENDING suspect300 waiting=ErrImagePull@-600 | again+300000
          RN16 a runner with a job is not ended | PENDING busy withoutImage-9 waiting=ImagePullBackOff@-900 | again+1000
          a problem is noted | PENDING waiting=ErrImagePull@-60 | note:ImagePullBackOff again+10000
          not reported before 10 s | PENDING waiting=ImagePullBackOff@-60 withoutImage-9 | again+1000
          reported at 10 s, whatever it is called meanwhile | PENDING waiting=ErrImagePull@-60 withoutImage-10 | PENDING:reported again+540000
          reported with the write that is due | waiting=ImagePullBackOff@-30 | note:ImagePullBackOff PENDING:reported again+570000
          # its container runs
          runs: one write | made-1 running | RUNNING
          runs and reported | RUNNING running | nothing
          busy and runs | RUNNING busy running | nothing
          completion heard, still runs | RUNNING done5 running | nothing
          RN16 not registered in time: the service is asked | RUNNING running offline | remove
          RN16 not registered in time, and its registration is gone | RUNNING running registrationGone offline | FAILED:RegistrationOverdue delete-pod
          RN16 it was not registered in time, and the failure could not be written | RUNNING running leftItsRegistration | FAILED:RegistrationOverdue delete-pod
          RN16 its registration went for an earlier deadline, and now its container runs | PENDING running leftItsRegistration | FAILED:StartupOverdue delete-pod
          SD5 its registration was removed as surplus: its set deletes it | RUNNING running registrationGone | nothing
          I1 its registration was removed, and it has a job | RUNNING busy running leftItsRegistration | nothing
          I1 not registered in time, they say, and it has a job | RUNNING busy running offline | nothing
          a failed pod does not outvote its runner | RUNNING runningInPod=Failed/x | nothing
          # its container exited with 0
          exit 0, completed, of a set: no write | done5 exited0@-1 | exit0
          exit 0, completed, standalone | standalone=runner done5 exited0@-1 | exit0 SUCCEEDED
          exit 0, unmarked, 29 s | exited0@-29 | exit0 again+1000
          exit 0, unmarked, 30 s: look-and-ask | exited0@-30 | exit0 look-and-ask
          RN8 its registration was left behind: it had no job | leftItsRegistration exited0@-30 | exit0 FAILED:ExitedWithoutJob
          RN8 its registration was gone: it had a job that nobody heard of | registrationGone exited0@-30 | exit0 SUCCEEDED
          the mark may still come | registrationGone exited0@-29 | exit0 again+1000
          unmarked, and the service does not answer | failing1@-1 exited0@-30 | exit0 again+1000
          unmarked, and the service says that it has a job | suspect300 refusals2 exited0@-40 | exit0 again+300000
          unmarked, and the service said before its end that it has a job (SD5) | suspect200 exited0@-40 | exit0 look-and-ask
          exit 0, busy, 29 s | busy exited0@-29 | exit0 again+1000
          exit 0, busy, 30 s: ask | busy exited0@-30 | exit0 ask
          removed: ended | busy registrationGone exited0@-30 | exit0
          removed: ended, standalone | standalone=runner busy registrationGone exited0@-30 | exit0 SUCCEEDED
          refused: once more, 30 s later (SD5) | busy suspect300 answered30 exited0@-40 | exit0 again+30000
          refused twice: later (I3) | busy suspect300 refusals2 exited0@-40 | exit0 again+300000
          refused, over | busy suspect0 exited0@-40 | exit0 ask
          the pod went after its end | RUNNING exitKnown0@-5 | exit0 again+25000
          # its container exited with another code, or its pod ended
          its pod was deleted: exit 143 | podDeleted datedByItsNode143@-1 | exit143 FAILED:PodDeleted
          its pod was deleted and is gone: exit 0, 30 s | RUNNING exitOfDeletedPod0@-30 | exit0 look-and-ask
          its pod was deleted while it was idle | RUNNING leftItsRegistration exitOfDeletedPod0@-30 | exit0 FAILED:PodDeleted
          its pod was deleted: exit 0, 1 s: look at once, again by the end of the window | podDeleted datedByItsNode0@-1 | exit0 look-early again+30000
          a disruption that deletes no pod: exit 0, 1 s | disruptedBy=TerminationByKubelet datedByItsNode0@-1 | exit0 look-early again+30000
          its pod was deleted, and it had no job: its place is filled at once | podDeleted leftItsRegistration datedByItsNode0@-1 | exit0 FAILED:PodDeleted
          its pod was deleted, and its registration is gone: a mark may come | podDeleted answered29 datedByItsNode0@-1 | exit0 again+29000
          its pod was deleted with its job | podDeleted busy datedByItsNode0@-1 | exit0 again+30000
          the pod of a standalone runner was deleted | standalone=runner podDeleted datedByItsNode0@-1 | exit0 again+30000
          its pod was deleted after its end | exitKnown1@-5 podDeleted exited1@-5 | exit1 FAILED:ContainerExited
          its pod was evicted, then deleted | podDeleted exitedInPod=Failed/Evicted/137 | exit137 FAILED:Evicted
          exit 7, unmarked: ask at once | exited7@-1 | exit7 look-and-ask
          exit 7 without a job | leftItsRegistration exited7@-1 | exit7 OUTDATED:RunnerVersionRejected
          exit 7 after a job that nobody heard of refuses no version | registrationGone exited7@-1 | exit7 FAILED:ContainerExited
          exit 7 of a runner with a job refuses no version | busy exited7@-1 | exit7 FAILED:ContainerExited
          exit 7 of a runner whose job is over | done5 exited7@-1 | exit7 FAILED:ContainerExited
          exit 1 | exited=1/Error@-1 | exit1 FAILED:ContainerExited
          out of memory | exited=137/OOMKilled@-1 | exit137 FAILED:OOMKilled
          evicted with a container that ended | exitedInPod=Failed/Evicted/137 | exit137 FAILED:Evicted
          evicted before it ran | podOver=Failed/Evicted | FAILED:Evicted
          a pod that ended without a word of its runner | podOver=Failed | FAILED:PodFailed
          a pod that failed after its runner's job was over | done5 podOver=Failed/Evicted | exit0
          the container's end was seen before its status was lost | podOver=Failed/Evicted exitKnown1@-5 | exit1 FAILED:Evicted
          RN22 its lifetime ended it with its job | busy exitedInPod=Failed/DeadlineExceeded/137 | exit137 FAILED:DeadlineExceeded
          RN22 and it took the signal well | busy exitedInPod=Failed/DeadlineExceeded/0 | exit0 FAILED:DeadlineExceeded
          RN22 its job was over before | done5 exitedInPod=Failed/DeadlineExceeded/0 | exit0
          RN22 its lifetime ended it without a job: its place is filled at once | exitedInPod=Failed/DeadlineExceeded/0 | exit0 FAILED:DeadlineExceeded
          RN22 the kubelet says nothing of its container | busy podOver=Failed/DeadlineExceeded | FAILED:DeadlineExceeded
          # a pod succeeds only when each of its containers exits with 0 (RN8)
          LV7 its job is over | done5 podOver=Succeeded | exit0
          LV7 unmarked, just seen | podOver=Succeeded | exit0 again+30000
          LV7 marked, just seen | busy podOver=Succeeded | exit0 again+30000
          LV7 marked, seen 30 s ago | busy podOver=Succeeded exitKnown0@-30 | exit0 ask
          LV7 unmarked, seen 30 s ago | podOver=Succeeded exitKnown0@-30 | exit0 look-and-ask
          # the clock of a node may differ from ours: ours decides (LV3)
          LV7 the node's clock is an hour ahead | datedByItsNode0@3600 | exit0 again+30000
          LV7 and 30 s after it was first seen | datedByItsNode0@3600 exitKnown0@-30 | exit0 look-and-ask
          LV7 the node's clock is 40 s behind | datedByItsNode0@-40 | exit0 again+30000
          LV7 the same with a job | busy datedByItsNode0@-40 | exit0 again+30000
          LV7 10 s after it was first seen | datedByItsNode0@-50 exitKnown0@-10 | exit0 again+20000
          LV7 the node's clock is almost an hour behind | datedByItsNode0@-3600 | exit0 again+30000
          LV7 an end of long ago is settled, however often this process restarts | datedByItsNode0@-3630 | exit0 look-and-ask
          RN6 a pod made in the future by the server's clock: reported at once | waiting=ContainerCreating@3600 | note:ContainerCreating PENDING again+20000
          """)
  void decides(String rule, @Nullable String given, String expected) {
    assertThat(RunnerSituation.words(RunnerLifecycle.decide(RunnerSituation.of(given).observed())))
        .isEqualTo(expected);
  }

  @Test
  void whatWeWroteCountsEvenIfTheCacheIsBehind() {
    var first = RunnerSituation.of("made-1 running").observed();
    var written = RunnerStatuses.running(first, at(-5));
    var again =
        RunnerSituation.of("running")
            .memory(RunnerMemory.NONE.made(7L, at(-1)).with(new WrittenStatus(written, "7")))
            .observed();
    assertThat(RunnerSituation.words(RunnerLifecycle.decide(again))).isEqualTo("nothing");
  }

  @Test
  void ourPartHoldsNothingOfTheOtherWriters() {
    var observed = RunnerSituation.of("done5 suspect9 running").observed();
    var status = RunnerStatuses.running(observed, at(-5));
    assertThat(status).isEqualTo(WrittenStatus.ownPartOf(status));
    assertThat(status.runnerId()).isEqualTo(7L);
    assertThat(status.idleSince()).isEqualTo(Situation.NOW);
  }

  @Test
  void anAgeThatIsMissingBeginsNowAndAKnownOneIsKept() {
    var cleared = RunnerSituation.of("ageless running").observed();
    assertThat(RunnerSituation.words(RunnerLifecycle.decide(cleared))).isNotEqualTo("nothing");
    assertThat(RunnerStatuses.running(cleared, at(-500)).idleSince()).isEqualTo(Situation.NOW);
    var known = RunnerSituation.of("RUNNING running").observed();
    assertThat(RunnerSituation.words(RunnerLifecycle.decide(known))).isEqualTo("nothing");
    assertThat(RunnerStatuses.running(known, at(-500)).idleSince()).isEqualTo(at(-5));
  }

  @Test
  void anAgeThatSomebodyClearedBeginsNowEvenIfThisProcessWroteIt() {
    var first = RunnerSituation.of("made-1 running").observed();
    var written = new WrittenStatus(RunnerStatuses.running(first, at(-5)), "7");
    var wrote = RunnerMemory.NONE.made(7L, at(-1)).with(written);
    var cleared = RunnerSituation.of("ageless running").memory(wrote).observed();
    assertThat(RunnerStatuses.running(cleared, at(-5)).idleSince()).isEqualTo(Situation.NOW);
  }

  @Test
  void aBusyRunnerNeedsNoAge() {
    var busy = RunnerSituation.of("ageless busy running").observed();
    assertThat(RunnerSituation.words(RunnerLifecycle.decide(busy))).isEqualTo("nothing");
  }

  @Test
  void theIdleTimeBeginsWhenWeSeeItRunWhateverTheClockOfItsNodeSays() {
    for (long skew : new long[] {-3600, -40, 0, 40, 3600}) {
      var observed = RunnerSituation.of("made-1 running" + skew).observed();
      var status = RunnerStatuses.running(observed, at(skew));
      assertThat(status.idleSince()).as("node's clock %d s off", skew).isEqualTo(Situation.NOW);
      assertThat(requireNonNull(status.timeline()).started())
          .as("node's clock %d s off", skew)
          .isEqualTo(at(Math.min(skew, 0)));
    }
  }

  @Test
  void theEndInTheStatusIsOurTimeAndNothingOfTheTimelineIsLater() {
    var observed = RunnerSituation.of("datedByItsNode1@300 exitKnown1@-2").observed();
    var status = written(RunnerLifecycle.decide(observed));
    assertThat(status.completionTime()).isEqualTo(at(-2));
    var timeline = requireNonNull(status.timeline());
    assertThat(timeline.finished()).isEqualTo(at(-2));
    assertThat(timeline.started()).as("240 s ahead").isEqualTo(at(-2));
  }

  @Test
  void aFailureTellsThatAJobWasLostWithIt() {
    var lost = "the end of its job was not known when the runner ended: ";
    assertThat(message(RunnerSituation.of("busy podOver=Failed/Evicted"))).startsWith(lost);
    assertThat(message(RunnerSituation.of("busy exited=137/OOMKilled@-1"))).startsWith(lost);
    assertThat(message(RunnerSituation.of("podOver=Failed/Evicted"))).doesNotContain(lost);
    assertThat(message(RunnerSituation.of("done5 exited=1/Error@-1"))).doesNotContain(lost);
  }

  @Test
  void aRunnerWhosePodIsForbiddenForTooLongFailsWithTheWordsOfTheServer() {
    var observed = RunnerSituation.of("forbidden=-600/-1").observed();
    var failure = requireNonNull(written(RunnerLifecycle.decide(observed)).failure());
    assertThat(failure.message()).isEqualTo("denied by a policy");
  }

  private static String message(RunnerSituation situation) {
    var failure = requireNonNull(written(RunnerLifecycle.decide(situation.observed())).failure());
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
