package dev.runnerset.controller.removal;

import static dev.runnerset.controller.removal.Runners.T0;
import static java.util.Objects.requireNonNullElse;

import dev.runnerset.controller.memory.Slots;
import dev.runnerset.controller.scaling.CreationBackoff;
import dev.runnerset.controller.scaling.DesiredRunners;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetSpec;
import dev.runnerset.crds.EphemeralRunnerSetStatusBuilder;
import dev.runnerset.crds.NameReference;
import dev.runnerset.crds.StoredTemplate;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A set and its runners for the tests of plans: two runners are wanted, for the two assigned jobs,
 * and nothing is wrong.
 */
public final class Situation {
  /** The instant of most plans. */
  public static final Instant NOW = T0.plusSeconds(1000);

  /** The message that reported the demand of most situations. */
  public static final long MESSAGE = 7;

  private static final int SCALE_SET = 1;

  public final List<RunnerView> runners = new ArrayList<>();
  public int wanted = 2;
  public @Nullable Integer max;
  public long message = MESSAGE;
  public @Nullable Demand demand =
      new Demand(1, MESSAGE, null, 2, 2, null, null, null, null, null, null);
  public @Nullable Instant surplusSince = NOW.minusSeconds(60);
  public boolean underWay;
  public RemovalBudget budget = RemovalBudget.FRESH;
  public CreationBackoff backoff = CreationBackoff.NONE;
  public boolean held;
  public int reserved;
  public int removedSince;
  public long delivered;
  public Slots slots = new Slots();

  public Situation(Runners... some) {
    this(Arrays.stream(some).map(Runners::view).toList());
  }

  public Situation(List<RunnerView> some) {
    runners.addAll(some);
  }

  /**
   * A situation in words: runners as {@link Runners#of} reads them, and, with an equals sign, what
   * is not as in most plans.
   */
  public static Situation of(String words) {
    var given = new Situation();
    Arrays.stream(words.strip().split(" +")).filter(word -> !word.isEmpty()).forEach(given::read);
    return given;
  }

  /** So many seconds after {@link #NOW}. */
  static Instant in(String seconds) {
    return NOW.plusMillis(new BigDecimal(seconds).movePointRight(3).intValueExact());
  }

  private void read(String word) {
    int is = word.indexOf('=');
    var value = word.substring(is + 1);
    switch (is < 0 ? "" : word.substring(0, is)) {
      case "" -> runners.add(Runners.of(word).view());
      case "wanted" -> wanted = Integer.parseInt(value);
      case "max" -> max = Integer.valueOf(value);
      case "message" -> message = Long.parseLong(value);
      case "demand" -> demand = demand(value);
      case "surplus" -> surplusSince = value.equals("none") ? null : in(value);
      case "underWay" -> underWay = true;
      case "spent" -> budget = new RemovalBudget(1, List.of(), null, in(value));
      case "backoff", "started" ->
          backoff = new CreationBackoff(1, in(value), word.startsWith("backoff"));
      case "held" -> held = true;
      case "reserved" -> reserved = Integer.parseInt(value);
      case "removed" -> removedSince = Integer.parseInt(value);
      case "delivered" -> delivered = Long.parseLong(value);
      default -> throw new IllegalArgumentException(word);
    }
  }

  /**
   * Assigned, running, registered, busy, idle, and, if known, {@code @} when, {@code #} the version
   * of marks, {@code ~} the scale set.
   */
  private static @Nullable Demand demand(String words) {
    if (words.equals("none")) {
      return null;
    }
    var at = part(words, '@');
    var marks = part(words, '#');
    var scaleSet = part(words, '~');
    var count = words.replaceFirst("[@#~].*", "").split("/");
    return new Demand(
        1,
        MESSAGE,
        at.isEmpty() ? null : in(at),
        count(count, 0),
        count(count, 1),
        count(count, 2),
        count(count, 3),
        count(count, 4),
        null,
        scaleSet.isEmpty() ? null : Integer.valueOf(scaleSet),
        marks.isEmpty() ? null : Long.valueOf(marks));
  }

  private static String part(String words, char mark) {
    int from = words.indexOf(mark);
    return from < 0 ? "" : words.substring(from + 1).replaceFirst("[@#~].*", "");
  }

  private static @Nullable Integer count(String[] counts, int place) {
    return place < counts.length && !counts[place].equals("-")
        ? Integer.valueOf(counts[place])
        : null;
  }

  public Situation with(Consumer<Situation> change) {
    change.accept(this);
    return this;
  }

  /** Heard of that demand; null while it is unknown. */
  public Situation demand(@Nullable Demand heard) {
    demand = heard;
    return this;
  }

  public Situation and(Runners... some) {
    for (var runner : some) {
      runners.add(runner.view());
    }
    return this;
  }

  public SetMoment at(Instant now) {
    return at(now, set());
  }

  public EphemeralRunnerSet set() {
    var set = new EphemeralRunnerSet();
    set.setMetadata(new ObjectMeta());
    set.getMetadata().setName("linux");
    set.getMetadata().setNamespace("ns");
    set.getMetadata().setGeneration(1L);
    var heard = demand == null ? null : ofMessage(message, demand);
    set.setSpec(spec(wanted, max, heard, SCALE_SET, "r"));
    set.setStatus(EphemeralRunnerSetStatusBuilder.builder().demand(heard).build());
    return set;
  }

  private static Demand ofMessage(long message, Demand demand) {
    return new Demand(
        demand.epoch(),
        message,
        demand.observedAt(),
        demand.assigned(),
        demand.running(),
        demand.registered(),
        demand.busy(),
        demand.idle(),
        demand.available(),
        demand.scaleSetId(),
        demand.marksVersion());
  }

  /**
   * The spec with which that demand wants so many runners (DM5): those beyond its assigned jobs are
   * idle ones, and {@code maxRunners} cuts off jobs beyond the runners.
   */
  public static EphemeralRunnerSetSpec spec(
      int wanted,
      @Nullable Integer maxRunners,
      @Nullable Demand demand,
      int scaleSet,
      String revision) {
    int assigned = demand == null ? 0 : requireNonNullElse(demand.assigned(), 0);
    return EphemeralRunnerSetSpec.builder(
            "",
            new NameReference("s"),
            scaleSet,
            revision,
            StoredTemplate.of(new PodTemplateSpec()))
        .replicas(Math.max(0, wanted - assigned))
        .maxRunners(assigned > wanted ? Integer.valueOf(wanted) : maxRunners)
        .build();
  }

  public SetMoment at(Instant now, EphemeralRunnerSet set) {
    var views =
        runners.stream().map(view -> view.with(view.registered(), view.registeredAt(), ofSet(set)));
    return at(RunnersOfSet.of(views.toList(), now), now, set);
  }

  /** With runners that were kept so far. */
  public SetMoment at(RunnersOfSet all, Instant now, EphemeralRunnerSet set) {
    return new SetMoment(
        set,
        all,
        true,
        backoff,
        held,
        surplusSince,
        underWay ? 0 : budget.atOnce(NOW),
        underWay ? null : budget.moreAt(NOW),
        removedSince,
        delivered,
        slots,
        new Now(now));
  }

  private RunnerView.OfSet ofSet(EphemeralRunnerSet set) {
    var assigned = demand == null ? null : demand.assigned();
    boolean onItsWay = assigned != null && assigned > requireNonNullElse(demand.running(), 0);
    return new RunnerView.OfSet(
        set.settledUpTo(),
        DesiredRunners.of(set) > 0,
        onItsWay ? Duration.ofSeconds(10) : Duration.ZERO);
  }
}
