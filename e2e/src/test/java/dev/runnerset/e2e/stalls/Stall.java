package dev.runnerset.e2e.stalls;

import dev.runnerset.e2e.SeparateSet;
import dev.runnerset.e2e.SetHealth;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * One thing that keeps a set from running jobs, how it comes about, and how it is repaired.
 *
 * @param id its name in figures and checks
 * @param reported what a condition of the set must say, as {@code Reason: message}
 * @param acts how it comes about, and how it is repaired
 * @param pod of the pods' spec beside the common fields, in YAML
 * @param bar within which it must be reported, and be gone after the repair
 */
record Stall(String id, Pattern reported, Acts acts, String pod, Duration bar, Set<Trait> traits) {
  /**
   * What is done.
   *
   * @param before makes what must be there until the cause
   */
  record Acts(
      Consumer<SeparateSet> before, Consumer<SeparateSet> cause, Consumer<SeparateSet> repair) {}

  /** Where it can be tried. */
  enum Trait {
    /** On a set that is about to be made. */
    NEW,
    /** On a set that has run jobs. */
    WARM,
    /** Only a real API server knows this. */
    REAL_SERVER,
    /** It stalls every set. */
    ALONE
  }

  static final Duration BAR = Duration.ofSeconds(30);

  /** On new and on warm sets, of the common form. */
  static Stall of(
      String id, String reported, Consumer<SeparateSet> cause, Consumer<SeparateSet> repair) {
    var pattern = Pattern.compile(reported, Pattern.DOTALL);
    var acts = new Acts(set -> {}, cause, repair);
    return new Stall(id, pattern, acts, "", BAR, Set.of(Trait.NEW, Trait.WARM));
  }

  Stall only(Trait... values) {
    return new Stall(id, reported, acts, pod, bar, Set.of(values));
  }

  /** With something that is made before the set is. */
  Stall before(Consumer<SeparateSet> value) {
    var more = new Acts(value, acts.cause(), acts.repair());
    return new Stall(id, reported, more, pod, bar, traits);
  }

  Stall withPod(String yaml) {
    return new Stall(id, reported, acts, yaml, bar, traits);
  }

  Stall within(Duration value) {
    return new Stall(id, reported, acts, pod, value, traits);
  }

  boolean is(Trait trait) {
    return traits.contains(trait);
  }

  /** The first condition of that set that tells of this. */
  Optional<Condition> saidIn(List<Condition> conditions, String set) {
    return conditions.stream()
        .filter(SetHealth::isProblem)
        .filter(c -> matches(c.getReason(), c.getMessage(), set))
        .findFirst();
  }

  /** Whether a reason and its message tell of this; the set's name is made of the cause's. */
  boolean matches(String reason, String message, String set) {
    return reported.matcher(reason + ": " + message.replace(set, "SET")).find();
  }

  /** Whether a line of text names this, as a condition would: by its reason or by the command. */
  boolean isNamedIn(String line, String set) {
    return reported
        .matcher(line.replace(set, "SET").replace("ClusterForbidden", "RoleMissing"))
        .find(); // two conditions name the role with the same command
  }
}
