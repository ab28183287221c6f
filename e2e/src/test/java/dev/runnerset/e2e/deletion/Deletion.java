package dev.runnerset.e2e.deletion;

import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One deletion that is tried.
 *
 * @param id its name in figures and checks
 * @param reported what a condition must say while the deletion waits, as {@code Reason: message};
 *     null if it does not wait
 * @param bar how long it may take from the moment at which nothing is in its way
 */
record Deletion(
    String id,
    What what,
    Phase phase,
    Meanwhile meanwhile,
    @Nullable Pattern reported,
    Duration bar,
    Set<Trait> traits) {
  /** What somebody deletes. */
  enum What {
    RUNNER,
    POD,
    EPHEMERAL_RUNNER_SET,
    LISTENER_OBJECT,
    SET,
    /** First the secret of the credentials, then the set. */
    SECRET_AND_SET,
    /** In the service's own pages. */
    SCALE_SET,
    SCALE_SET_AND_SET,
    /** With everything in it. */
    NAMESPACE;

    /** Whether the set goes, too. */
    boolean isOfSet() {
      return this == SET
          || this == SECRET_AND_SET
          || this == SCALE_SET_AND_SET
          || this == NAMESPACE;
    }
  }

  /** Where the set, or its runner, stands when the deletion begins. */
  enum Phase {
    /** The set is made in the same moment. */
    NEW,
    /** Its runners cannot be registered. */
    UNREGISTERED,
    /** No node takes the pods of its runners. */
    PENDING,
    IDLE,
    /** A runner has a job. */
    BUSY,
    /** A runner has a job, and no message reported it. */
    UNMARKED,
    /** A runner has a job, and its revision is replaced. */
    ROLLOUT,
    /** Its job is over, and its container does not end. */
    HANGING,
    /** A finished runner is kept, with its pod. */
    FINISHED;

    boolean hasJob() {
      return this == BUSY || this == UNMARKED || this == ROLLOUT || this == HANGING;
    }
  }

  /** What is broken when the deletion begins; it is repaired once the deletion waits for it. */
  enum Meanwhile {
    NOTHING,
    SERVICE_DOWN,
    CREDENTIALS_REFUSED,
    CONTROLLER_KILLED,
    LISTENER_KILLED,
    BOTH_KILLED;

    boolean isOfService() {
      return this == SERVICE_DOWN || this == CREDENTIALS_REFUSED;
    }

    boolean isOfPrograms() {
      return this == CONTROLLER_KILLED || this == LISTENER_KILLED || this == BOTH_KILLED;
    }
  }

  /** What else there is to know. */
  enum Trait {
    /** While it waits, somebody forces it with the annotation: its job is lost. */
    FORCED,
    /**
     * Its job ends while a program is away; else it ends once the deletion has reported what it
     * waits for.
     */
    JOB_ENDS_MEANWHILE,
    /** Only a real API server can do this. */
    REAL_SERVER
  }

  /** From the end of the last job, if nothing else is in the way. */
  static final Duration BAR = Duration.ofSeconds(2);

  /** Of the common form. */
  static Deletion of(String id, What what, Phase phase) {
    return new Deletion(id, what, phase, Meanwhile.NOTHING, null, BAR, Set.of());
  }

  Deletion reported(String pattern) {
    var compiled = Pattern.compile(pattern, Pattern.DOTALL);
    return new Deletion(id, what, phase, meanwhile, compiled, bar, traits);
  }

  Deletion meanwhile(Meanwhile value) {
    return new Deletion(id, what, phase, value, reported, bar, traits);
  }

  Deletion within(Duration value) {
    return new Deletion(id, what, phase, meanwhile, reported, value, traits);
  }

  Deletion with(Trait... values) {
    return new Deletion(id, what, phase, meanwhile, reported, bar, Set.of(values));
  }

  /** Whether its time is counted from the end of a job with nothing else in the way. */
  boolean isTimed() {
    return bar.equals(BAR);
  }

  boolean is(Trait trait) {
    return traits.contains(trait);
  }

  /** How many jobs it may cost. */
  int jobsKilled() {
    return is(Trait.FORCED) && phase != Phase.HANGING ? 1 : 0;
  }
}
