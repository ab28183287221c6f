package dev.runnerset.e2e.stalls;

import dev.runnerset.e2e.Bars;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;

/**
 * What one set said of what stalled it, and how soon it was well again.
 *
 * @param said what the set said, and what the command said of it
 * @param left what it said at the end if it did not become well
 * @param registrations how many runners were registered from the cause to the repair
 * @param touched whether somebody changed the set
 */
record StallResult(
    String set,
    Stall stall,
    Seconds seconds,
    Said said,
    List<String> left,
    long registrations,
    boolean touched) {
  /**
   * How long it took; null for never.
   *
   * @param reported from the cause to a condition of the set that tells of it
   * @param event from the cause to an event of the set that tells of it
   * @param metric from the cause to a series of the set with the condition's reason
   * @param healed from the repair to a set that is well
   */
  record Seconds(
      @Nullable Double reported,
      @Nullable Double event,
      @Nullable Double metric,
      @Nullable Double healed) {}

  /**
   * In words.
   *
   * @param condition the condition; what the set said instead if it reported nothing
   * @param why the first line of {@code kubectl runnerset why SET}, asked before the repair
   */
  record Said(String condition, String why) {}

  /** Causes by which no pod is made: what is registered then must wait for its pod, not go. */
  private static final Set<String> PODS_REFUSED =
      Set.of(
          "quota",
          "pod-webhook",
          "service-account",
          "priority-class",
          "pod-security",
          "admission-policy");

  /** As many as the jobs of a cause want. */
  private static final long RUNNERS = 3;

  void check(SoftAssertions softly) {
    double bar = stall.bar().toSeconds();
    Bars.within(softly, bar, seconds.reported(), "%s reported; it says %s", set, said.condition());
    softly
        .assertThat(seconds.event())
        .as("%s: seconds until an event reported it", set)
        .isNotNull();
    softly.assertThat(seconds.metric()).as("%s: seconds until a series had it", set).isNotNull();
    Bars.within(softly, bar, seconds.healed(), "%s was well; it says %s", set, left);
    if (PODS_REFUSED.contains(stall.id())) {
      softly
          .assertThat(registrations)
          .as("%s: runners registered, most of them for nothing", set)
          .isLessThanOrEqualTo(most());
    }
    softly
        .assertThat(stall.isNamedIn(said.why(), set))
        .as("%s: why names the cause in its first line: %s", set, said.why())
        .isTrue();
    softly.assertThat(touched).as("%s: somebody changed the set", set).isFalse();
  }

  /** A refusal for good (422) fails a runner: two waves more may begin before the set knows it. */
  private long most() {
    return stall.id().equals("admission-policy") ? 3 * RUNNERS : RUNNERS;
  }
}
