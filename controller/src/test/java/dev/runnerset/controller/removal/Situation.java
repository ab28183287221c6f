package dev.runnerset.controller.removal;

import static dev.runnerset.controller.removal.Runners.T0;
import static java.util.Objects.requireNonNullElse;

import dev.runnerset.controller.memory.Memories;
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
  public @Nullable Integer startable;
  public @Nullable Integer places;
  public @Nullable Boolean idleStay;
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
  public Slots slots = new Memories().of("set");

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
    Word.split(words, " +").forEach(given::read);
    return given;
  }

  private void read(String text) {
    if (text.indexOf('=') < 0) {
      runners.add(Runners.of(text).view());
      return;
    }
    var word = Word.of(text);
    switch (word.name()) {
      case "wanted" -> wanted = word.number();
      case "max" -> max = word.integer(0);
      case "startable" -> startable = word.integer(0);
      case "places" -> places = word.integer(0);
      case "stay" -> idleStay = true;
      case "message" -> message = word.number();
      case "demand" -> demand = demand(word);
      case "surplus" -> surplusSince = word.given().equals("none") ? null : word.time();
      case "underWay" -> underWay = true;
      case "spent" -> budget = new RemovalBudget(1, List.of(), null, word.time());
      case "backoff", "started" ->
          backoff = new CreationBackoff(1, word.time(), word.name().equals("backoff"));
      case "held" -> held = true;
      case "reserved" -> reserved = word.number();
      case "removed" -> removedSince = word.number();
      case "delivered" -> delivered = word.number();
      default -> throw new IllegalArgumentException(text);
    }
  }

  /**
   * Assigned, running, registered, busy, idle, and, if known, {@code @} when, {@code #} the version
   * of marks, {@code ~} the scale set.
   */
  private static @Nullable Demand demand(Word word) {
    if (word.given().equals("none")) {
      return null;
    }
    var at = part(word, '@');
    var marks = part(word, '#');
    var scaleSet = part(word, '~');
    var counts = new Word("", word.given().replaceFirst("[@#~].*", ""));
    return new Demand(
        1,
        MESSAGE,
        at.isEmpty() ? null : Word.after(at),
        counts.integer(0),
        counts.integer(1),
        counts.integer(2),
        counts.integer(3),
        counts.integer(4),
        null,
        scaleSet.isEmpty() ? null : Integer.valueOf(scaleSet),
        marks.isEmpty() ? null : Long.valueOf(marks));
  }

  private static String part(Word word, char mark) {
    int from = word.given().indexOf(mark);
    return from < 0 ? "" : word.given().substring(from + 1).replaceFirst("[@#~].*", "");
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
    set.setSpec(
        spec(wanted, max, heard, SCALE_SET, "r").toBuilder()
            .startable(startable)
            .places(places)
            .idleStay(idleStay)
            .build());
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
