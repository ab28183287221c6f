package dev.runnerset.controller.features.places;

import dev.runnerset.base.Detail;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.autoscalingrunnerset.children.TemplateCheck;
import dev.runnerset.controller.autoscalingrunnerset.planning.TemplatePod;
import dev.runnerset.controller.features.capacity.CapacityMoment;
import dev.runnerset.controller.features.capacity.JobCost;
import dev.runnerset.controller.features.capacity.OwnWindow;
import dev.runnerset.controller.features.capacity.Placement;
import dev.runnerset.controller.features.capacity.PlacementPlanner;
import dev.runnerset.controller.features.capacity.Quota;
import dev.runnerset.controller.features.capacity.QuotaFacts;
import dev.runnerset.controller.features.capacity.RoomTotal;
import dev.runnerset.controller.features.capacity.RunnerCost;
import dev.runnerset.controller.features.capacity.StartTokens;
import dev.runnerset.controller.features.capacity.Terms;
import dev.runnerset.controller.features.places.SetState.OfQuotas;
import dev.runnerset.controller.features.places.SetState.Starts;
import dev.runnerset.controller.hooks.SetFeature;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.scaling.CapacityLimit;
import dev.runnerset.controller.scaling.CapacityPacing;
import dev.runnerset.controller.scaling.LimitedBy;
import dev.runnerset.controller.scaling.RunnerPlaces;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.RunnerMode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How many runners of a set there is room for (DM12): gathers from the caches what the terms are
 * computed from, and wakes the sets whose number a quota, or a pod, has changed. Sends nothing but
 * the lists of {@link PodEvents}. Thread-safe.
 */
public final class CapacityFeature implements SetFeature {
  /** How often sets are woken in a namespace of many. */
  @Detail public static final Duration ROUND = Duration.ofMillis(500);

  /** How often the places of runners that wait are found anew. */
  @Detail public static final Duration PLACING = Duration.ofSeconds(1);

  /** While the first list of quotas is on its way. */
  @Detail private static final Duration QUOTAS_COME = Duration.ofSeconds(1);

  /** The runners of so long before this process began count as starts. */
  @Detail private static final Duration MINUTE = Duration.ofMinutes(1);

  /** In a namespace of more sets the change of a quota waits for the next round. */
  private static final int FEW = 20;

  private static final Slot<SetState> STATE = new Slot<>();

  private final Ports ports;
  private final SharedRoom shared = new SharedRoom(); // guarded by this
  private final Set<String> dirty = new HashSet<>(); // namespaces; guarded by this

  /**
   * What the feature works with.
   *
   * @param quotas of a namespace; empty while they are not known yet
   * @param own the runners of a set
   * @param placement what shows that runners find no place
   * @param sets the set of that name
   * @param runnerSets its EphemeralRunnerSet, with the demand
   * @param ofSets what the process remembers of runner sets
   * @param wake triggers a pass of the set
   */
  public record Ports(
      Function<String, Optional<List<Quota>>> quotas,
      OwnRunners.Caches own,
      PlacementGathering placement,
      Function<SetKey, Optional<AutoScalingRunnerSet>> sets,
      Function<SetKey, Optional<EphemeralRunnerSet>> runnerSets,
      Memories ofSets,
      Consumer<SetKey> wake,
      Clock clock) {}

  /** Knows nothing yet. */
  public CapacityFeature(Ports ports) {
    this.ports = ports;
  }

  @Override
  public Optional<RunnerPlaces> places(
      AutoScalingRunnerSet set, @Nullable EphemeralRunnerSet runners, int maxRunners) {
    var woken = new HashSet<SetKey>();
    RunnerPlaces found;
    synchronized (this) {
      found = found(set, runners, maxRunners, woken);
    }
    woken.forEach(ports.wake());
    return Optional.of(found);
  }

  /** The sets that take jobs and have no place now. */
  public Stream<EphemeralRunnerSet> held() {
    return states().stream()
        .filter(state -> Objects.equals(state.places().enforced(), 0))
        .map(SetState::key)
        .filter(key ->
            ports
                .sets()
                .apply(key)
                .filter(set -> !set.isMarkedForDeletion() && set.modeNow() == RunnerMode.ACTIVE)
                .isPresent())
        .flatMap(key -> ports.runnerSets().apply(key).stream());
  }

  /**
   * The quotas of the namespace have changed, or what a set there waits for: the sets whose places
   * change by it are woken.
   */
  public void changed(String namespace) {
    if (statesIn(namespace).size() > FEW) {
      synchronized (this) {
        dirty.add(namespace);
      }
      return;
    }
    refresh(namespace);
  }

  /** Other jobs wait for the set than before, as this process has read. */
  public void waitingChanged(SetKey set) {
    changed(set.namespace());
    ports.wake().accept(set); // its status has the number
  }

  /** Looks at the namespaces of many sets in which a quota has changed. */
  public void round() {
    Set<String> due;
    synchronized (this) {
      due = Set.copyOf(dirty);
      dirty.clear();
    }
    due.forEach(this::refresh);
  }

  /**
   * Looks at the sets whose runners wait for a place, or did not get one: their pods and the words
   * about them change without a pass. Has events read where a runner waits for long.
   */
  public void placingRound() {
    var now = ports.clock().instant();
    var woken = new HashSet<SetKey>();
    var late = new HashSet<String>();
    for (var state : states()) {
      var waiting =
          ports.own().runners().apply(state.key()).filter(PlacementGathering::isWaiting).toList();
      if (!waiting.isEmpty() || state.placement().gate() != null) {
        refresh(state, woken);
      }
      if (waiting.stream().anyMatch(runner -> PlacementGathering.isLate(runner, now))) {
        late.add(state.key().namespace());
      }
    }
    woken.forEach(ports.wake());
    late.forEach(ports.placement().events()::read);
  }

  private void refresh(String namespace) {
    var woken = new HashSet<SetKey>();
    statesIn(namespace).forEach(state -> refresh(state, woken));
    woken.forEach(ports.wake());
  }

  private synchronized void refresh(SetState before, Set<SetKey> woken) {
    var set = ports.sets().apply(before.key()).filter(found -> !found.isMarkedForDeletion());
    set.ifPresent(found -> {
      var runners = ports.runnerSets().apply(before.key()).orElse(null);
      var next = found(found, runners, before.maxRunners(), woken);
      if (isNews(before.places(), next, ports.clock().instant())) {
        woken.add(before.key());
      }
    });
  }

  /** Whether a pass must see it: by another number, or by another time that no pass waits for. */
  private static boolean isNews(RunnerPlaces before, RunnerPlaces next, Instant now) {
    var due = before.requeue().at();
    var nextDue = next.requeue().at();
    boolean awaited =
        nextDue == null || (due != null && due.isAfter(now) && !nextDue.isBefore(due));
    return !awaited
        || !Objects.equals(before.least(), next.least())
        || before.shadow() != next.shadow()
        || before.idleStay() != next.idleStay()
        || !Objects.equals(before.placement(), next.placement())
        || !numbers(before).equals(numbers(next));
  }

  private static List<List<Object>> numbers(RunnerPlaces places) {
    return places.limits().stream()
        .map(limit -> List.<Object>of(limit.places(), limit.by(), limit.of()))
        .toList();
  }

  private Collection<SetState> states() {
    return ports.ofSets().all(STATE).values();
  }

  /** Looks at all: that takes 36 µs with 300 sets. */
  private List<SetState> statesIn(String namespace) {
    return states().stream()
        .filter(state -> state.key().namespace().equals(namespace))
        .filter(state ->
            ports.sets().apply(state.key()).filter(set -> !set.isMarkedForDeletion()).isPresent())
        .toList();
  }

  /** Guarded by this. */
  private RunnerPlaces found(
      AutoScalingRunnerSet set,
      @Nullable EphemeralRunnerSet runners,
      int maxRunners,
      Set<SetKey> woken) {
    var settings = set.getSpec().capacityOrDefault();
    var asked = new Asked(set, runners, settings, maxRunners, ports.clock().instant());
    var before = ports.ofSets().of(set).find(STATE);
    var quotas =
        settings.followsQuotas()
            ? ports.quotas().apply(asked.key().namespace())
            : Optional.of(List.<Quota>of());
    if (quotas.isEmpty()) {
      var again = RequeueTime.at(asked.now().plus(QUOTAS_COME));
      return new RunnerPlaces(
          List.of(),
          asked.stored(),
          asked.storedStarts(),
          asked.storedStay(),
          settings.onlyShows(),
          asked.storedPlacement(),
          again);
    }
    var perMinute = settings.startsPerMinute();
    boolean unbound = quotas.get().isEmpty() && perMinute == null;
    var own = unbound ? OwnRunners.NONE : OwnRunners.of(asked.key(), ports.own());
    var ofQuotas = quotas.get().isEmpty() ? null : ofQuotas(asked, own, before);
    var starts = perMinute == null ? null : starts(perMinute, own, before, asked.now());
    var placing = placing(asked, before);
    var seen =
        new SetState(
            asked.key(),
            maxRunners,
            ofQuotas,
            placing == null ? Placement.NONE : placing.next(),
            starts,
            before == null ? CapacityPacing.first(maxRunners) : before.pacing(),
            before == null ? RunnerPlaces.NONE : before.places());
    ports.ofSets().of(set).put(STATE, seen); // each state has a share
    var share = share(seen, quotas.get(), asked.now());
    woken.addAll(share.others());
    var facts = ofQuotas == null ? null : facts(asked, ofQuotas, quotas.get(), share, before);
    var placed = Optional.ofNullable(placing).flatMap(PlacementPlanner.Plan::limit);
    var total = facts == null ? null : facts.total();
    var limits = Terms.limits(moment(facts, placed, starts, perMinute, own), maxRunners);
    int wanted = limits.stream().mapToInt(CapacityLimit::places).min().orElse(maxRunners);
    var out =
        before == null ? CapacityPacing.first(wanted) : before.pacing().next(wanted, asked.now());
    var requeue =
        RequeueTime.earliest(
            Stream.of(
                out.requeue(),
                share.requeue(),
                placing == null ? RequeueTime.NEVER : placing.requeue(),
                ofQuotas == null ? RequeueTime.NEVER : ofQuotas.own().requeue(asked.now()),
                total == null ? RequeueTime.NEVER : total.requeue(),
                starts == null || perMinute == null || limits.isEmpty()
                    ? RequeueTime.NEVER
                    : nextStart(starts, perMinute, asked.now())));
    var least = out.places() < maxRunners ? out.places() : null;
    var startable =
        limits.stream()
            .filter(limit -> limit.by().boundsStarts())
            .map(CapacityLimit::places)
            .findFirst()
            .orElse(null);
    var places =
        new RunnerPlaces(
            limits,
            least,
            startable,
            least != null && facts != null && mayStay(facts, limits),
            settings.onlyShows(),
            seen.placement().stored(),
            requeue);
    ports.ofSets().of(set).put(STATE, seen.with(total, out, places));
    return places;
  }

  /** What idle runners hold of a quota is free for nobody, unless another set has a share of it. */
  private static boolean mayStay(QuotaFacts facts, List<CapacityLimit> limits) {
    return !facts.isShared()
        && RunnerPlaces.tightestOf(limits)
            .filter(limit -> limit.by() == LimitedBy.QUOTA)
            .isPresent();
  }

  /** Null if runners that find no place are not to bound the set. */
  private PlacementPlanner.@Nullable Plan placing(Asked asked, @Nullable SetState before) {
    if (!asked.settings().followsPlacement()) {
      return null;
    }
    var known = before == null ? Placement.restored(asked.storedPlacement()) : before.placement();
    var facts =
        ports
            .placement()
            .facts(
                asked.set(),
                asked.runners(),
                asked.revision(),
                asked.maxRunners(),
                ports.own().runners().apply(asked.key()),
                ports.own().pods(),
                asked.now());
    return PlacementPlanner.plan(known, facts);
  }

  /** The number rises no sooner, however many tokens come. */
  private static RequeueTime nextStart(Starts starts, int perMinute, Instant now) {
    var next = starts.tokens().next(perMinute).at();
    var soonest = now.plus(CapacityPacing.BEFORE_RISE);
    return RequeueTime.at(next == null || next.isAfter(soonest) ? next : soonest);
  }

  private static CapacityMoment moment(
      @Nullable QuotaFacts facts,
      Optional<CapacityLimit> placed,
      @Nullable Starts starts,
      @Nullable Integer perMinute,
      OwnRunners own) {
    return new CapacityMoment(
        Optional.ofNullable(facts),
        placed,
        starts == null || perMinute == null
            ? Optional.empty()
            : Optional.of(new CapacityMoment.StartFacts(perMinute, own.live(), starts.tokens())));
  }

  private SharedRoom.Share share(SetState set, List<Quota> quotas, Instant now) {
    return set.ofQuotas() == null
        ? SharedRoom.Share.NONE
        : shared.of(
            set.key(),
            quotas,
            statesIn(set.key().namespace()).stream().filter(s -> s.ofQuotas() != null).toList(),
            now);
  }

  private static QuotaFacts facts(
      Asked asked,
      OfQuotas of,
      List<Quota> quotas,
      SharedRoom.Share share,
      @Nullable SetState before) {
    var stored = asked.stored();
    var known = stored == null ? null : RoomTotal.of(stored);
    var total = before == null ? known : before.total();
    return new QuotaFacts(quotas, of.cost(), of.own(), share.places(), total, asked.now());
  }

  /** Null if nothing can be made of the template. */
  private @Nullable OfQuotas ofQuotas(Asked asked, OwnRunners own, @Nullable SetState before) {
    var known = before == null ? null : before.ofQuotas();
    var revision = asked.revision();
    var sameRevision = known != null && known.revision().equals(revision) ? known : null;
    var youngest = own.youngest(revision);
    var answer =
        youngest
            .or(() ->
                Optional.ofNullable(sameRevision).filter(OfQuotas::answered).map(OfQuotas::cost))
            .or(() ->
                TemplateCheck.answer(ports.ofSets(), asked.set(), revision)
                    .map(pod -> RunnerCost.ofAnswer(pod, JobCost.NONE)));
    var cost =
        answer
            .or(() -> Optional.ofNullable(sameRevision).map(OfQuotas::cost))
            .or(() -> ofTemplate(asked.set()))
            .map(found -> found.with(asked.job()));
    if (cost.isEmpty()) {
      return null;
    }
    var sample = own.sample(cost.get(), asked.job(), asked.now());
    var window = known == null ? OwnWindow.of(sample) : known.own().with(sample);
    var total = known == null ? null : known.total();
    return new OfQuotas(revision, cost.get(), answer.isPresent(), window, total, asked.waits());
  }

  private static Optional<RunnerCost> ofTemplate(AutoScalingRunnerSet set) {
    var template = set.getSpec().template().podTemplate();
    return template == null
        ? Optional.empty()
        : RunnerCost.ofTemplate(TemplatePod.runner(set), template, JobCost.NONE);
  }

  private static Starts starts(
      int perMinute, OwnRunners own, @Nullable SetState before, Instant now) {
    var created = own.createdByUid();
    var known = before == null ? null : before.starts();
    if (known == null) {
      var since = now.minus(MINUTE);
      int started = (int) created.values().stream().filter(since::isBefore).count();
      return new Starts(StartTokens.of(perMinute, started, now), created.keySet());
    }
    int started =
        (int) created.keySet().stream().filter(uid -> !known.counted().contains(uid)).count();
    return new Starts(known.tokens().after(started, perMinute, now), created.keySet());
  }
}
