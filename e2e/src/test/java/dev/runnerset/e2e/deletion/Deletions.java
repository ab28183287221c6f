package dev.runnerset.e2e.deletion;

import static dev.runnerset.e2e.deletion.Deletion.Meanwhile.BOTH_KILLED;
import static dev.runnerset.e2e.deletion.Deletion.Meanwhile.CONTROLLER_KILLED;
import static dev.runnerset.e2e.deletion.Deletion.Meanwhile.CREDENTIALS_REFUSED;
import static dev.runnerset.e2e.deletion.Deletion.Meanwhile.LISTENER_KILLED;
import static dev.runnerset.e2e.deletion.Deletion.Meanwhile.SERVICE_DOWN;
import static dev.runnerset.e2e.deletion.Deletion.Phase.BUSY;
import static dev.runnerset.e2e.deletion.Deletion.Phase.FINISHED;
import static dev.runnerset.e2e.deletion.Deletion.Phase.HANGING;
import static dev.runnerset.e2e.deletion.Deletion.Phase.IDLE;
import static dev.runnerset.e2e.deletion.Deletion.Phase.NEW;
import static dev.runnerset.e2e.deletion.Deletion.Phase.PENDING;
import static dev.runnerset.e2e.deletion.Deletion.Phase.ROLLOUT;
import static dev.runnerset.e2e.deletion.Deletion.Phase.UNMARKED;
import static dev.runnerset.e2e.deletion.Deletion.Phase.UNREGISTERED;
import static dev.runnerset.e2e.deletion.Deletion.Trait.FORCED;
import static dev.runnerset.e2e.deletion.Deletion.Trait.JOB_ENDS_MEANWHILE;
import static dev.runnerset.e2e.deletion.Deletion.Trait.REAL_SERVER;
import static dev.runnerset.e2e.deletion.Deletion.What.EPHEMERAL_RUNNER_SET;
import static dev.runnerset.e2e.deletion.Deletion.What.LISTENER_OBJECT;
import static dev.runnerset.e2e.deletion.Deletion.What.NAMESPACE;
import static dev.runnerset.e2e.deletion.Deletion.What.POD;
import static dev.runnerset.e2e.deletion.Deletion.What.RUNNER;
import static dev.runnerset.e2e.deletion.Deletion.What.SCALE_SET;
import static dev.runnerset.e2e.deletion.Deletion.What.SCALE_SET_AND_SET;
import static dev.runnerset.e2e.deletion.Deletion.What.SECRET_AND_SET;
import static dev.runnerset.e2e.deletion.Deletion.What.SET;

import java.time.Duration;
import java.util.List;

/**
 * What is deleted, in which phase, and what is broken meanwhile: no job may be killed, nothing may
 * be left, and what waits must say what for.
 */
final class Deletions {
  /** Without a job: the runners are removed one after the other, then the session ends. */
  private static final Duration WITHOUT_JOB = Duration.ofSeconds(20);

  /** The role of the listener goes first with a namespace: nobody hears of the end of a job. */
  private static final Duration WITHOUT_A_MARK = Duration.ofSeconds(10);

  /** The service, or a program, has just come back: the waits of what failed must pass. */
  private static final Duration AFTER_REPAIR = Duration.ofSeconds(30);

  private static final String WAITS = "^Ready Deleting: .*1 with a job.*force-delete";

  private static final String JOB = "^Removable JobRunning: .*force-delete";

  private Deletions() {}

  /** What can be tried on that server. */
  static List<Deletion> all(boolean realServer) {
    return every().stream().filter(d -> realServer || !d.is(REAL_SERVER)).toList();
  }

  private static List<Deletion> every() {
    return List.of(
        Deletion.of("set-new", SET, NEW).within(WITHOUT_JOB),
        Deletion.of("set-unregistered", SET, UNREGISTERED).within(WITHOUT_JOB),
        Deletion.of("set-pending", SET, PENDING).within(WITHOUT_JOB),
        Deletion.of("set-idle", SET, IDLE).within(WITHOUT_JOB),
        Deletion.of("set-finished", SET, FINISHED).within(WITHOUT_JOB),
        Deletion.of("set-busy", SET, BUSY).reported(WAITS),
        Deletion.of("set-unmarked", SET, UNMARKED)
            .reported("^Ready Deleting: waiting for 1 runner"),
        Deletion.of("set-rollout", SET, ROLLOUT).reported(WAITS),
        Deletion.of("set-forced", SET, BUSY).reported(WAITS).with(FORCED).within(WITHOUT_JOB),
        Deletion.of("set-hanging", SET, HANGING)
            .reported("^Ready Deleting: waiting for 1 runner")
            .with(FORCED)
            .within(WITHOUT_JOB),
        Deletion.of("secret-idle", SECRET_AND_SET, IDLE).within(WITHOUT_JOB),
        // nobody hears of the end there: the service is asked 0.5 s after it (RN11)
        Deletion.of("namespace-busy", NAMESPACE, BUSY)
            .reported("^Ready Deleting: .*1 with a job")
            .with(REAL_SERVER)
            .within(WITHOUT_A_MARK),
        Deletion.of("secret-busy", SECRET_AND_SET, BUSY).reported(WAITS),
        Deletion.of("namespace-pending", NAMESPACE, PENDING).within(WITHOUT_JOB),
        Deletion.of("namespace-idle", NAMESPACE, IDLE).within(WITHOUT_JOB),
        Deletion.of("namespace-finished", NAMESPACE, FINISHED).within(WITHOUT_JOB),
        Deletion.of("scale-set-idle", SCALE_SET, IDLE).within(AFTER_REPAIR),
        Deletion.of("scale-set-then-set", SCALE_SET_AND_SET, IDLE).within(WITHOUT_JOB),
        Deletion.of("scale-set-then-set-pending", SCALE_SET_AND_SET, PENDING).within(WITHOUT_JOB),
        Deletion.of("runner-unregistered", RUNNER, UNREGISTERED).within(WITHOUT_JOB),
        Deletion.of("runner-pending", RUNNER, PENDING).within(WITHOUT_JOB),
        Deletion.of("runner-idle", RUNNER, IDLE).within(WITHOUT_JOB),
        Deletion.of("runner-finished", RUNNER, FINISHED).within(WITHOUT_JOB),
        Deletion.of("runner-busy", RUNNER, BUSY).reported(JOB),
        Deletion.of("runner-unmarked", RUNNER, UNMARKED).reported(JOB),
        Deletion.of("runner-forced", RUNNER, BUSY).reported(JOB).with(FORCED).within(WITHOUT_JOB),
        Deletion.of("pod-pending", POD, PENDING).within(WITHOUT_JOB),
        Deletion.of("pod-idle", POD, IDLE).within(WITHOUT_JOB),
        Deletion.of("ers-idle", EPHEMERAL_RUNNER_SET, IDLE).within(WITHOUT_JOB),
        Deletion.of("ers-busy", EPHEMERAL_RUNNER_SET, BUSY).reported(JOB),
        Deletion.of("listener-object-idle", LISTENER_OBJECT, IDLE).within(AFTER_REPAIR),
        Deletion.of("listener-object-busy", LISTENER_OBJECT, BUSY).within(AFTER_REPAIR),
        broken("set-new", SET, NEW, SERVICE_DOWN),
        broken("set-idle", SET, IDLE, SERVICE_DOWN).reported("^Registered ServiceUnavailable: "),
        broken("set-busy", SET, BUSY, SERVICE_DOWN).reported("^Registered ServiceUnavailable: "),
        broken("runner-idle", RUNNER, IDLE, SERVICE_DOWN)
            .reported("^Removable ServiceUnavailable: "),
        broken("runner-busy", RUNNER, BUSY, SERVICE_DOWN).reported(JOB),
        broken("set-idle", SET, IDLE, CREDENTIALS_REFUSED).reported("^Registered Unauthorized: "),
        broken("set-busy", SET, BUSY, CREDENTIALS_REFUSED).reported("^Registered Unauthorized: "),
        broken("set-pending", SET, PENDING, CONTROLLER_KILLED),
        broken("set-idle", SET, IDLE, CONTROLLER_KILLED),
        broken("set-busy", SET, BUSY, CONTROLLER_KILLED).reported(WAITS),
        broken("set-busy-short", SET, BUSY, CONTROLLER_KILLED).with(JOB_ENDS_MEANWHILE),
        broken("runner-busy", RUNNER, BUSY, CONTROLLER_KILLED).reported(JOB),
        broken("secret-idle", SECRET_AND_SET, IDLE, CONTROLLER_KILLED)
            .reported("^Registered SecretNotFound: "),
        broken("set-idle", SET, IDLE, LISTENER_KILLED),
        broken("set-busy", SET, BUSY, LISTENER_KILLED).reported(WAITS),
        broken("set-busy-short", SET, BUSY, LISTENER_KILLED).with(JOB_ENDS_MEANWHILE),
        broken("runner-busy", RUNNER, BUSY, LISTENER_KILLED).reported(JOB),
        broken("set-idle", SET, IDLE, BOTH_KILLED),
        broken("set-busy", SET, BUSY, BOTH_KILLED).reported(WAITS),
        broken("set-busy-short", SET, BUSY, BOTH_KILLED).with(JOB_ENDS_MEANWHILE),
        broken("runner-busy", RUNNER, BUSY, BOTH_KILLED).reported(JOB));
  }

  private static Deletion broken(
      String id, Deletion.What what, Deletion.Phase phase, Deletion.Meanwhile meanwhile) {
    var suffix =
        switch (meanwhile) {
          case NOTHING -> "";
          case SERVICE_DOWN -> "-down";
          case CREDENTIALS_REFUSED -> "-refused";
          case CONTROLLER_KILLED -> "-controller";
          case LISTENER_KILLED -> "-listener";
          case BOTH_KILLED -> "-both";
        };
    return Deletion.of(id + suffix, what, phase).meanwhile(meanwhile).within(AFTER_REPAIR);
  }
}
