package dev.runnerset.controller.autoscalingrunnerset.registration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.ScaleSet;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.Statistics;
import dev.runnerset.connection.ConnectionKey;
import dev.runnerset.controller.autoscalingrunnerset.FakeScaleSets;
import dev.runnerset.controller.autoscalingrunnerset.Sets;
import dev.runnerset.controller.autoscalingrunnerset.planning.RetryWaits;
import dev.runnerset.controller.autoscalingrunnerset.planning.SpecCheck;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.autoscalingrunnerset.status.Registration;
import dev.runnerset.controller.connection.ServiceCalls;
import dev.runnerset.controller.connection.ServiceConnections;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.AutoScalingRunnerSetStatus;
import dev.runnerset.crds.AutoScalingRunnerSetStatusBuilder;
import dev.runnerset.crds.ScaleSetIdentity;
import dev.runnerset.crds.ScaleSetProvenance;
import dev.runnerset.crds.ScaleSetProvenance.Intent;
import dev.runnerset.crds.ScaleSetProvenance.Origin;
import dev.runnerset.testsupport.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which set has which scale set, and that the scale set is as the spec says (NM2). */
class ScaleSetRegistrarTest {
  private final TestClock clock = new TestClock(Instant.parse("2026-11-21T12:00:00Z"));
  private final FakeScaleSets service = new FakeScaleSets();
  private final List<String> events = new ArrayList<>();
  private final Memories memories = new Memories();
  private final List<String> intents = new ArrayList<>();
  private boolean reported;

  /** Where calls run: with {@code queued::add} they have no answer until the test runs them. */
  private Consumer<Runnable> threads = Runnable::run;

  private final List<Runnable> queued = new ArrayList<>();
  private final ScaleSetRegistrar registrar =
      new ScaleSetRegistrar(
          service.connections(),
          new ServiceCalls(memories, task -> threads.accept(task), woken -> {}),
          (about, reason, message) -> events.add(reason.word()),
          memories,
          clock);

  private static ServiceCalls atOnce() {
    return new ServiceCalls(new Memories(), Runnable::run, woken -> {});
  }

  private static AutoScalingRunnerSet set(String name, String... lines) {
    return Sets.set(name, lines);
  }

  /** The set as it stands once its registration was written. */
  private static AutoScalingRunnerSet registered(AutoScalingRunnerSet set, int id) {
    return Sets.registered(set, id);
  }

  private Registration ensure(AutoScalingRunnerSet set, AutoScalingRunnerSet... all) {
    var sets = all.length == 0 ? List.of(set) : List.of(all);
    return registrar.ensure(set, sets, null, writing(set));
  }

  /** Writes into the status of the set, as the reconciler does. */
  private BeforeCalls writing(AutoScalingRunnerSet set) {
    return new BeforeCalls() {
      @Override
      public void asking(Registration.Asking asking) {
        if (reported) {
          service.asked.add("TELL " + asking.finding().reason().word());
        }
      }

      @Override
      public void making(@Nullable Intent intent) {
        intents.add(intent == null ? "none" : intent.name() + " " + intent.at());
        Sets.withStatus(
            set,
            "{'scaleSetId': %s, 'scaleSet': {'intent': %s}}"
                .formatted(
                    set.statusOrNone().scaleSetId(),
                    intent == null
                        ? "null"
                        : "{'name': '%s', 'runnerGroupId': %d, 'at': '%s'}"
                            .formatted(intent.name(), intent.runnerGroupId(), intent.at())));
      }

      @Override
      public void changing(ScaleSetIdentity becoming) {
        var origin = set.statusOrNone().scaleSetOrigin();
        set.setStatus(written(set, new ScaleSetProvenance(origin, null, becoming)));
      }

      @Override
      public void lost() {
        Sets.withStatus(set, "{}");
      }
    };
  }

  private static @Nullable Origin origin(Registration registration) {
    return ((Registration.Registered) registration).origin();
  }

  private static AutoScalingRunnerSetStatus written(
      AutoScalingRunnerSet set, ScaleSetProvenance scaleSet) {
    return AutoScalingRunnerSetStatusBuilder.builder(set.statusOrNone()).scaleSet(scaleSet).build();
  }

  private static String reason(Registration registration) {
    return registration instanceof Registration.Failed(var finding, _)
        ? finding.reason().word()
        : "";
  }

  private static int id(Registration registration) {
    return registration instanceof Registration.Registered(var id, _, _, _, _) ? id.value() : 0;
  }

  /** Neither sees the other in its cache, and the second comes while the first is being served. */
  @ParameterizedTest(name = "the second comes during call {0}")
  @ValueSource(ints = {1, 2})
  void oneOfTwoSetsOfOneMomentHasTheScaleSet(int call) {
    var first = set("a", "runnerScaleSetName: same");
    var second = set("b", "runnerScaleSetName: SAME");
    var answers = new ArrayList<Registration>();
    Runnable comes = () -> answers.add(ensure(second));
    service.meanwhile = call == 1 ? comes : () -> service.meanwhile = comes;

    var answer = ensure(first);

    assertThat(id(answer)).isPositive();
    assertThat(answers)
        .extracting(ScaleSetRegistrarTest::reason)
        .containsExactly("ScaleSetNameTaken");
    assertThat(service.asked).containsExactly("FIND same", "CREATE same");
  }

  /** The status of the first comes late to the cache: what it has is remembered. */
  @Test
  void aSetThatIsRegisteredKeepsItsNameAgainstAnOlderOne() {
    var young = set("b", "runnerScaleSetName: same");
    young.getMetadata().setCreationTimestamp("2026-11-21T10:00:01Z");
    var old = set("a", "runnerScaleSetName: same");
    assertThat(id(ensure(young))).isPositive();
    assertThat(reason(ensure(old, old, young))).isEqualTo("ScaleSetNameTaken");
  }

  /** After a failure nobody has the name: then the rule of the oldest holds again. */
  @Test
  void aFailedTryHoldsNoName() {
    var young = set("b", "runnerScaleSetName: same");
    young.getMetadata().setCreationTimestamp("2026-11-21T10:00:01Z");
    var old = set("a", "runnerScaleSetName: same");
    service.fault = new ServiceError.Unavailable(FakeScaleSets.details(503), null);
    assertThat(reason(ensure(young))).isEqualTo("ServiceUnavailable");
    service.fault = null;
    assertThat(id(ensure(old, old, young))).isPositive();
    clock.advance(Duration.ofSeconds(60));
    assertThat(reason(ensure(young, old, young))).isEqualTo("ScaleSetNameTaken");
  }

  @Test
  void theNameIsFreeOnceItsSetIsGoneOrRenamed() {
    var first = set("a", "runnerScaleSetName: same");
    int id = id(ensure(first));
    var second = set("b", "runnerScaleSetName: same");
    assertThat(reason(ensure(second))).isEqualTo("ScaleSetNameTaken");

    var renamed = registered(set("a", "runnerScaleSetName: other"), id);
    assertThat(id(ensure(renamed))).isEqualTo(id);
    clock.advance(Duration.ofSeconds(60));
    var had = ensure(second, renamed, second);
    assertThat(id(had)).isPositive().isNotEqualTo(id);

    registrar.release(second.getMetadata().getUid());
    service.byId.remove(new ScaleSetId(id(had)));
    assertThat(id(ensure(set("c", "runnerScaleSetName: same")))).isPositive();
  }

  /** It keeps its own, under its old name; the other one's is not taken from it. */
  @Test
  void aSetThatIsRenamedToATakenNameIsRefusedAlsoAfterARestart() {
    var owner = set("b", "runnerScaleSetName: same");
    int id = id(ensure(owner));
    var other = set("a", "runnerScaleSetName: mine");
    int mine = id(ensure(other));
    var renamed = registered(set("a", "runnerScaleSetName: same"), mine);
    assertThat(reason(ensure(renamed))).isEqualTo("ScaleSetNameTaken");

    Sets.withStatus(
        renamed,
        "{'scaleSetId': %d, 'conditions': [{'type': 'Registered', 'status': 'False',"
                .formatted(mine)
            + " 'reason': 'ScaleSetNameTaken'}]}");
    renamed.getMetadata().setCreationTimestamp("2026-11-21T09:00:00Z");
    registered(owner, id);
    var fresh =
        new ScaleSetRegistrar(
            service.connections(), atOnce(), (a, r, m) -> {}, new Memories(), clock);
    var all = List.of(renamed, owner);
    assertThat(reason(fresh.ensure(renamed, all, null, writing(renamed))))
        .isEqualTo("ScaleSetNameTaken");
    assertThat(id(fresh.ensure(owner, all, null, writing(owner)))).isEqualTo(id);
  }

  @Test
  void onlyWhoeverAsksTheServiceTellsItAndBefore() {
    var set = set("a", "runnerScaleSetName: same");
    var second = set("b", "runnerScaleSetName: same");
    service.noConnection = "SecretNotFound";
    ensureTelling(set);
    service.noConnection = null;
    clock.advance(RetryWaits.SERVICE.longest());
    ensureTelling(set);
    ensureTelling(set);
    ensureTelling(second);
    assertThat(service.asked).containsExactly("TELL Registering", "FIND same", "CREATE same");
  }

  private void ensureTelling(AutoScalingRunnerSet set) {
    reported = true;
    var _ = registrar.ensure(set, List.of(set), null, writing(set));
  }

  /** A claim is of an id too: the status of neither names the scale set that both asked for. */
  @Test
  void ofTwoSetsThatTheServiceGivesOneScaleSetOneHasIt() {
    var made = service.made("same", RunnerGroupId.DEFAULT);
    var first = set("a", "runnerScaleSetName: same", "adoptScaleSetId: 1");
    assertThat(id(ensure(first))).isEqualTo(made.id().value());
    // somebody renames it at the service, so that it answers to another name too
    service.byId.put(made.id(), FakeScaleSets.renamed(made, "other"));
    var second = set("b", "runnerScaleSetName: other", "adoptScaleSetId: 1");
    assertThat(reason(ensure(second))).isEqualTo("ScaleSetShared");
    assertThat(reason(ensure(second))).isEqualTo("ScaleSetShared");
    assertThat(id(ensure(first))).isEqualTo(made.id().value());
  }

  /** The second comes while the first is asked of, and does not see the status of the first. */
  @Test
  void aSetHasTheScaleSetOfItsStatusWhileItAsksForIt() {
    var made = service.made("other", RunnerGroupId.DEFAULT);
    var first = registered(set("a"), made.id().value());
    var answers = new ArrayList<Registration>();
    var second = set("b", "runnerScaleSetName: other", "adoptScaleSetId: 1");
    service.meanwhile = () -> answers.add(ensure(second));
    assertThat(id(ensure(first))).isEqualTo(made.id().value());
    assertThat(answers).extracting(ScaleSetRegistrarTest::reason).containsExactly("ScaleSetShared");
  }

  /** A user, or an earlier version, let two sets name one scale set. */
  @Test
  void ofTwoSetsWhoseStatusNamesOneScaleSetOneHasIt() {
    var made = service.made("x", RunnerGroupId.DEFAULT, "x");
    var first = registered(set("a", "runnerScaleSetName: x"), made.id().value());
    var second = registered(set("b", "runnerScaleSetName: y"), made.id().value());
    assertThat(reason(ensure(second, first, second))).isEqualTo("ScaleSetShared");
    assertThat(service.asked).isEmpty();
    assertThat(id(ensure(first, first, second))).isEqualTo(made.id().value());
    assertThat(reason(ensure(second))).isEqualTo("ScaleSetShared");
  }

  /** Somebody removed the finalizer: only the delete event says that the set is gone. */
  @Test
  void aClaimOfASetThatIsGoneEnds() {
    var first = set("a", "runnerScaleSetName: same");
    ensure(first);
    var second = set("b", "runnerScaleSetName: same");
    clock.advance(Duration.ofHours(1));
    assertThat(reason(ensure(second))).isEqualTo("ScaleSetNameTaken");
    memories.isGone(first.getMetadata().getUid());
    clock.advance(Duration.ofSeconds(31)); // after the backoff
    assertThat(reason(ensure(second)))
        .as("nobody claims the name; the scale set of the first is still there")
        .isEqualTo("AdoptionRequired");
  }

  /** Any order, any interleaving: never two sets with one scale set, and each name has one. */
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
  void neverDoTwoSetsHaveOneScaleSet(long seed) {
    var random = new Random(seed);
    var sets = new ArrayList<AutoScalingRunnerSet>();
    for (int i = 0; i < 24; i++) {
      sets.add(set("s" + i, "runnerScaleSetName: n" + random.nextInt(8)));
    }
    var idByUid = new HashMap<String, Integer>();
    for (int step = 0; step < 200; step++) {
      var outer = sets.get(random.nextInt(sets.size()));
      var inner = sets.get(random.nextInt(sets.size()));
      service.fault =
          random.nextInt(5) == 0
              ? new ServiceError.Unavailable(FakeScaleSets.details(503), null)
              : null;
      if (inner != outer) {
        service.meanwhile = () -> look(inner, sets, idByUid, random);
      }
      look(outer, sets, idByUid, random);
      service.meanwhile = () -> {};
      clock.advance(Duration.ofSeconds(random.nextInt(120)));
      assertThat(idByUid.values()).as("seed " + seed + " step " + step).doesNotHaveDuplicates();
    }
    assertThat(idByUid).as("seed " + seed).hasSizeGreaterThan(4);
  }

  /** What the cache shows is late: new sets may not be in it, and some bear no status yet. */
  private void look(
      AutoScalingRunnerSet set,
      List<AutoScalingRunnerSet> sets,
      HashMap<String, Integer> idByUid,
      Random random) {
    var seen = new ArrayList<AutoScalingRunnerSet>(List.of(set));
    sets.stream().filter(other -> other != set && random.nextBoolean()).forEach(seen::add);
    if (registrar.ensure(set, seen, null, writing(set))
        instanceof Registration.Registered(var id, _, _, _, _)) {
      idByUid.put(set.getMetadata().getUid(), id.value());
      if (random.nextBoolean()) {
        registered(set, id.value());
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "nothing                 | a       | 1 | a,gpu   | [gpu]",
        "order and case          | a       | 1 | GPU,A   | [gpu]",
        "a label more            | a       | 1 | a,gpu   | [gpu, big]",
        "a label less            | a       | 1 | a,gpu   | []",
        "the former name         | former  | 1 | former  | []",
        "the group               | a       | 2 | a       | []",
      })
  void theScaleSetIsAsTheSpecSays(
      String what, String name, int group, String labels, String wanted) {
    var made = service.made(name, new RunnerGroupId(group), labels.split(","));
    var set = registered(set("a", "labels: " + wanted), made.id().value());
    assertThat(id(ensure(set))).isEqualTo(made.id().value());
    boolean same = what.equals("nothing") || what.equals("order and case");
    assertThat(service.asked)
        .containsExactlyElementsOf(same ? List.of("GET 1") : List.of("GET 1", "UPDATE 1"));
    var now = service.byId.get(made.id());
    assertThat(now).isNotNull();
    assertThat(now.name()).isEqualTo("a");
    assertThat(now.runnerGroupId()).isEqualTo(RunnerGroupId.DEFAULT);
    assertThat(now.labels().stream().map(String::toLowerCase))
        .containsExactlyInAnyOrderElementsOf(SpecCheck.labels(set));
    assertThat(events).isEmpty();
  }

  /** A change of the labels is a reason to look, though the last registration stands. */
  @Test
  void labelsThatChangeLaterReachTheService() {
    var set = set("a", "labels: [gpu]");
    int id = id(ensure(set));
    ensure(registered(set, id));
    assertThat(service.asked).containsExactly("FIND a", "CREATE a");
    ensure(registered(set("a", "labels: [big]"), id));
    assertThat(service.byId.get(new ScaleSetId(id)).labels()).containsExactly("a", "big");
  }

  @Test
  void labelsThatTheServiceKeepsAreReported() {
    service.keepsLabels = true;
    var made = service.made("a", RunnerGroupId.DEFAULT, "a");
    var set = registered(set("a", "labels: [gpu]"), made.id().value());
    assertThat(id(ensure(set))).isEqualTo(made.id().value());
    assertThat(events).containsExactly("LabelsNotTaken");
    assertThat(((Registration.Registered) ensure(set)).labels())
        .isNotNull()
        .extracting(Finding::message)
        .asString()
        .startsWith("the scale set 1 has the labels [a] at the service, and not all of [a, gpu]");
    assertThat(service.asked).as("nothing is asked again").containsExactly("GET 1", "UPDATE 1");
  }

  @Test
  void aScaleSetThatIsGoneIsMadeAgainWithNameGroupAndLabels() {
    var set = registered(set("a", "labels: [gpu]", "runnerGroup: gpu"), 7);
    service.made("other", RunnerGroupId.DEFAULT);
    int id = id(ensure(set));
    assertThat(id).isEqualTo(2);
    var made = service.byId.get(new ScaleSetId(id));
    assertThat(made.labels()).containsExactly("a", "gpu");
    assertThat(made.runnerGroupId()).isEqualTo(new RunnerGroupId(2));
    assertThat(events).containsExactly("ScaleSetGone");
  }

  /** NM5: what somebody else made is neither used nor changed, until the user says so. */
  @Test
  void aScaleSetOfSomebodyElseIsNotUsedUntilTheUserSaysSo() {
    var theirs = service.made("a", RunnerGroupId.DEFAULT, "a", "gpu");
    var set = set("a");
    var refused = ensure(set);
    assertThat(reason(refused)).isEqualTo("AdoptionRequired");
    assertThat(((Registration.Failed) refused).finding().message())
        .contains("id 1, labels [a, gpu], 0 runners registered", "no listener holds its session")
        .contains("spec.adoptScaleSetId: 1; its labels become [a]");
    assertThat(reason(ensure(set("a", "adoptScaleSetId: 7")))).isEqualTo("AdoptionRequired");
    assertThat(service.asked).containsExactly("FIND a", "FIND a");
    assertThat(service.byId).containsValue(theirs);

    var adopted = ensure(set("a", "adoptScaleSetId: 1"));
    assertThat(id(adopted)).isEqualTo(theirs.id().value());
    assertThat(origin(adopted)).isEqualTo(Origin.ADOPTED);
    assertThat(events).containsExactly("AdoptionRequired", "ScaleSetAdopted");
  }

  /** It is looked for again within 30 s, so that the set heals when the other one is gone. */
  @Test
  void aNameThatBecomesFreeIsSeenWithinHalfAMinute() {
    var theirs = service.made("a", RunnerGroupId.DEFAULT, "a");
    var set = set("a");
    for (int i = 0; i < 20; i++) {
      ensure(set);
      clock.advance(Duration.ofSeconds(31));
    }
    service.byId.remove(theirs.id());
    assertThat(ensure(set))
        .isInstanceOfSatisfying(
            Registration.Registered.class, r -> assertThat(r.origin()).isEqualTo(Origin.CREATED));
  }

  /** The process dies, or the answer is lost, after the service made the scale set. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "our own              |  0 | a     | a    | 0 | offline | true",
        "made a little later  | 19 | a     | a    | 0 | offline | true",
        "clocks differ        | -59| a     | a    | 0 | unknown | true",
        "older than ours      | -61| a     | a    | 0 | offline | false",
        "made much later      | 81 | a     | a    | 0 | offline | false",
        "another name         |  0 | other | a    | 0 | offline | false",
        "labels of others     |  0 | a     | gpu  | 0 | offline | false",
        "runners of others    |  0 | a     | a    | 1 | offline | false",
        "a session of others  |  0 | a     | a    | 0 | online  | false",
      })
  void whatASetAnnouncedBeforeIsItsOwn(
      String what,
      int seconds,
      String announced,
      String label,
      int registered,
      String session,
      boolean ours) {
    var set = set("a");
    writing(set).making(new Intent(announced, 1, clock.instant()));
    var theirs = service.made("a", RunnerGroupId.DEFAULT, label);
    service.byId.put(
        theirs.id(),
        new ScaleSet(
            theirs.id(),
            "a",
            RunnerGroupId.DEFAULT,
            theirs.labels(),
            new Statistics(0, 0, 0, 0, registered, 0, 0),
            clock.instant().plusSeconds(seconds),
            session.equals("unknown") ? null : session.equals("online")));
    var answer = ensure(set);
    assertThat(reason(answer)).as(what).isEqualTo(ours ? "" : "AdoptionRequired");
    if (ours) {
      assertThat(((Registration.Registered) answer).origin()).isEqualTo(Origin.CREATED);
    }
  }

  /** A lost answer is one that may have made it: the next look finds it, and it is ours. */
  @Test
  void aScaleSetWhoseAnswerWasLostIsOurs() {
    service.now = clock::instant;
    var set = set("a");
    service.lost = "CREATE";
    assertThat(reason(ensure(set))).isEqualTo("ServiceUnavailable");
    assertThat(service.byId).hasSize(1);
    clock.advance(Duration.ofSeconds(31));
    var found = ensure(set);
    assertThat(id(found)).isEqualTo(1);
    assertThat(origin(found)).isEqualTo(Origin.CREATED);
    assertThat(intents).hasSize(1);
  }

  /** Two clusters apply the same manifest at once: the service says who came second. */
  @Test
  void whoComesSecondTakesNothingFromTheFirst() {
    service.now = clock::instant;
    var set = set("a");
    service.meanwhile =
        () -> service.meanwhile = () -> service.made("a", RunnerGroupId.DEFAULT, "a");
    assertThat(reason(ensure(set))).isEqualTo("AdoptionRequired");
    assertThat(intents).as("nothing announces it any more").endsWith("none").hasSize(2);
    clock.advance(Duration.ofSeconds(31));
    assertThat(reason(ensure(set))).isEqualTo("AdoptionRequired");
  }

  /** A refusal made nothing: what comes later under that name is not ours. */
  @Test
  void aRefusedRequestAnnouncesNothing() {
    var set = set("a");
    service.meanwhile =
        () ->
            service.meanwhile =
                () -> service.fault = new ServiceError.Forbidden(FakeScaleSets.details(403));
    assertThat(reason(ensure(set))).isEqualTo("Forbidden");
    assertThat(intents).hasSize(2).endsWith("none");
  }

  /**
   * The first request had no answer and is carried out late, while the second one is refused: the
   * first announcement is still the proof, as long as that request may be under way.
   */
  @ParameterizedTest(name = "announced {0} in the group {1}, {2} s ago, the second is {3}")
  @CsvSource({
    "a,     1,  3, taken,   true",
    "A,     1, 20, taken,   true",
    "a,     1,  3, refused, true",
    "a,     1, 21, taken,   false",
    "a,     1, 21, refused, false",
    "other, 1,  3, taken,   false",
    "a,     2,  3, taken,   false",
  })
  void aRefusedSecondRequestTakesNoProofOfTheFirst(
      String announced, int group, int ago, String answer, boolean ours) {
    service.now = clock::instant;
    var set = set("a");
    var first = new Intent(announced, group, clock.instant());
    writing(set).making(first);
    clock.advance(Duration.ofSeconds(ago));
    Runnable carriedOut = () -> service.made("a", RunnerGroupId.DEFAULT, "a");
    Runnable forbidden =
        () -> service.fault = new ServiceError.Forbidden(FakeScaleSets.details(403));
    boolean taken = answer.equals("taken");
    service.meanwhile = () -> service.meanwhile = taken ? carriedOut : forbidden;

    var second = ensure(set);

    assertThat(service.asked).startsWith("FIND a", "CREATE a");
    assertThat(set.statusOrNone().scaleSetIntent()).isEqualTo(ours ? first : null);
    if (!taken) {
      assertThat(reason(second)).isEqualTo("Forbidden");
      service.fault = null;
      carriedOut.run();
      clock.advance(Duration.ofSeconds(31));
      second = ensure(set);
    }
    assertThat(reason(second)).isEqualTo(ours ? "" : "AdoptionRequired");
    assertThat(id(second)).isEqualTo(ours ? 1 : 0);
  }

  /** The whole story: no answer, an empty look, a second request, and the name is taken. */
  @Test
  void aScaleSetThatIsMadeLateIsOurs() {
    service.now = clock::instant;
    var set = set("a");
    service.failing = "CREATE";
    assertThat(reason(ensure(set))).isEqualTo("ServiceUnavailable");
    service.failing = "";
    clock.advance(Duration.ofSeconds(4));
    service.meanwhile =
        () -> service.meanwhile = () -> service.made("a", RunnerGroupId.DEFAULT, "a");
    var found = ensure(set);
    assertThat(id(found)).isEqualTo(1);
    assertThat(origin(found)).isEqualTo(Origin.CREATED);
    assertThat(service.asked).containsExactly("FIND a", "CREATE a", "FIND a", "CREATE a", "FIND a");
  }

  private static final Instant MADE = Instant.parse("2026-11-20T10:00:00Z");

  /** A set whose status has the id 1, and by what that scale set was known. */
  private static AutoScalingRunnerSet knowing(String spec, @Nullable ScaleSetIdentity identity) {
    var set = registered(set(spec), 1);
    set.setStatus(written(set, new ScaleSetProvenance(Origin.CREATED, null, identity)));
    return set;
  }

  private static ScaleSetIdentity identity(String name, int group, @Nullable Instant made) {
    return ScaleSetIdentity.of(1, name, group, made);
  }

  /** What the service has under the id 1. */
  private void stands(String name, int group, @Nullable Instant made) {
    var found = service.made(name, new RunnerGroupId(group), name);
    service.byId.put(
        found.id(),
        new ScaleSet(
            found.id(),
            name,
            found.runnerGroupId(),
            found.labels(),
            found.statistics(),
            made,
            false));
  }

  /** NM5: a restored server, or another one behind the URL, gives ids again. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "the same                         | a     | 1 | 0  | a     | 1 | 0  | true",
        "the service rounds the time      | a     | 1 | .9 | a     | 1 | 1  | true",
        "renamed at the service           | a     | 1 | 0  | other | 1 | 0  | true",
        "moved at the service             | a     | 1 | 0  | a     | 2 | 0  | true",
        "another of the same name         | a     | 1 | 0  | a     | 1 | 9  | false",
        "another one                      | a     | 1 | 0  | arc   | 1 | 9  | false",
        "stored without a time            | A     | 1 |    | a     | 1 | 9  | true",
        "answered without a time          | a     | 1 | 0  | a     | 1 |    | true",
        "another, stored without a time   | a     | 1 |    | arc   | 1 | 9  | false",
        "another, answered without a time | a     | 1 | 0  | arc   | 1 |    | false",
        "another group without a time     | a     | 1 |    | a     | 2 |    | false",
      })
  void whatStandsUnderTheIdIsTouchedOnlyIfItIsStillOurs(
      String what,
      String name,
      int group,
      @Nullable String made,
      String foundName,
      int foundGroup,
      @Nullable String foundMade,
      boolean ours) {
    stands(foundName, foundGroup, time(foundMade));
    var theirs = service.byId.get(new ScaleSetId(1));
    var set = knowing("a", identity(name, group, time(made)));
    var answer = ensure(set);
    assertThat(service.asked).startsWith("GET 1");
    if (ours) {
      assertThat(id(answer)).isEqualTo(1);
      assertThat(service.byId.get(new ScaleSetId(1)).name()).as("put back").isEqualTo("a");
    } else {
      assertThat(service.byId.get(new ScaleSetId(1))).isEqualTo(theirs);
      assertThat(service.asked).noneMatch(call -> call.endsWith(" 1") && !call.equals("GET 1"));
      assertThat(events).contains("ScaleSetGone");
      boolean named = foundName.equals("a") && foundGroup == 1;
      assertThat(reason(answer)).isEqualTo(named ? "AdoptionRequired" : "");
      assertThat(id(answer)).as("made anew").isEqualTo(named ? 0 : 2);
    }
  }

  private static @Nullable Instant time(@Nullable String seconds) {
    return seconds == null ? null : MADE.plusMillis(Math.round(1000 * Double.parseDouble(seconds)));
  }

  /** An upgrade: what an older version wrote is compared by name and group, and learned. */
  @ParameterizedTest(name = "named {0}")
  @CsvSource({"a, true", "arc, false"})
  void aStatusOfAnOlderVersionLearnsWhatItsScaleSetIsKnownBy(String name, boolean learns) {
    stands(name, 1, MADE);
    var answer = ensure(knowing("a", null));
    assertThat(service.asked).noneMatch(call -> call.startsWith("UPDATE"));
    if (learns) {
      assertThat(service.asked).containsExactly("GET 1");
      assertThat(((Registration.Registered) answer).identity()).isEqualTo(identity("a", 1, MADE));
      assertThat(events).isEmpty();
    } else {
      assertThat(id(answer)).isEqualTo(2);
    }
  }

  /** Without a time only the name is known, and that of the lost request counts too. */
  @Test
  void aRenameWithoutAnAnswerIsKnownByEitherName() {
    stands("old", 1, null);
    var set = knowing("new", identity("old", 1, null));
    service.lost = "UPDATE";
    assertThat(reason(ensure(set))).isEqualTo("ServiceUnavailable");
    clock.advance(Duration.ofSeconds(60));
    assertThat(id(ensure(set))).isEqualTo(1);
    assertThat(service.asked).containsExactly("GET 1", "UPDATE 1", "GET 1");
    assertThat(events).containsExactly("ServiceUnavailable");
  }

  /** Each takes the id that the other had; both heal by themselves. */
  @Test
  void twoSetsOfOursWhoseIdsAreSwappedBothGetTheirScaleSets() {
    service.now = clock::instant;
    var linux = set("linux");
    var direct = set("direct");
    linux.setStatus(status(ensure(linux)));
    direct.setStatus(status(ensure(direct)));
    service.restore();
    clock.advance(Duration.ofMinutes(5));

    for (int i = 0; i < 4; i++) {
      for (var set : List.of(direct, linux)) {
        var answer = registrar.ensure(set, List.of(linux, direct), clock.instant(), writing(set));
        if (answer instanceof Registration.Registered) {
          set.setStatus(status(answer));
        }
      }
      clock.advance(Duration.ofSeconds(31));
    }

    assertThat(service.byId.values())
        .extracting(ScaleSet::name)
        .containsExactlyInAnyOrder("linux", "direct");
    for (var set : List.of(direct, linux)) {
      var id = set.statusOrNone().scaleSetId();
      assertThat(id).isNotNull();
      assertThat(service.byId.get(new ScaleSetId(id)).name())
          .isEqualTo(set.getMetadata().getName());
    }
    assertThat(service.asked).noneMatch(call -> call.startsWith("UPDATE"));
  }

  private static AutoScalingRunnerSetStatus status(Registration registration) {
    var made = (Registration.Registered) registration;
    return AutoScalingRunnerSetStatusBuilder.builder()
        .scaleSetId(made.id().value())
        .runnerGroupId(1)
        .scaleSet(new ScaleSetProvenance(made.origin(), null, made.identity()))
        .build();
  }

  /** A4: its runners could have no label with its name. */
  @Test
  void aSetWhoseNameIsTooLongForALabelRegistersNothing() {
    assertThat(reason(ensure(set("a".repeat(64))))).isEqualTo("NameTooLong");
    assertThat(service.asked).isEmpty();
    assertThat(id(ensure(set("a".repeat(63))))).isPositive();
  }

  /** The clock of the listener is ahead, or was put back: its times have not come (NM6). */
  @Test
  void aTimeOfTheListenerThatHasNotComeProvesNothingAndIsADoubtOfNow() {
    var times = new ArrayList<String>();
    var noting =
        new ServiceConnections() {
          @Override
          public ActionsService to(ConnectionKey key) {
            return service.connections().to(key);
          }

          @Override
          public void doubted(ConnectionKey key, ScaleSetId id, Instant since) {
            times.add("doubted " + since);
          }

          @Override
          public void proved(ConnectionKey key, ScaleSetId id, Instant askedAt) {
            times.add("proved " + askedAt);
          }
        };
    var one =
        new ScaleSetRegistrar(
            noting, atOnce(), (about, reason, message) -> {}, new Memories(), clock);
    var set = registered(set("linux"), 1);
    service.fault = new ServiceError.Unavailable(FakeScaleSets.details(503), null);
    var later = clock.instant().plus(Duration.ofHours(1));
    one.heard(set, later);
    var _ = one.ensure(set, List.of(set), later, writing(set));
    assertThat(times).isNotEmpty().containsOnly("doubted " + clock.instant());
  }

  /** A set and what passes over it bring while each call takes longer than a pass. */
  private String passes(AutoScalingRunnerSet set) {
    threads = queued::add;
    var seen = new ArrayList<String>();
    for (var next = ensure(set); ; next = ensure(set)) {
      seen.add(next.getClass().getSimpleName());
      if (queued.isEmpty()) {
        return String.join(" ", seen);
      }
      queued.removeFirst().run();
    }
  }

  @Test
  void eachPassGoesOnWithoutAnAnswerAndTheLastOneBringsTheRegistration() {
    assertThat(passes(set("a"))).isEqualTo("Asking Asking Registered");
    assertThat(service.asked).containsExactly("FIND a", "CREATE a");
    assertThat(intents).as("written once, before the call leaves").hasSize(1);
  }

  @Test
  void theFormerRegistrationStandsWhileTheScaleSetIsChecked() {
    var set = set("a");
    var id = id(ensure(set));
    registered(set, id);
    threads = queued::add;
    var disconnected = clock.instant().plusSeconds(1);
    clock.advance(Duration.ofSeconds(2));
    assertThat(id(registrar.ensure(set, List.of(set), disconnected, writing(set)))).isEqualTo(id);
    assertThat(queued).hasSize(1);
  }

  /** Of generation 1; the request for its scale set is queued, and its intent is written. */
  private AutoScalingRunnerSet setThatAsksForAScaleSet() {
    var set = set("a", "runnerScaleSetName: former");
    set.getMetadata().setGeneration(1L);
    threads = queued::add;
    var _ = ensure(set);
    queued.removeFirst().run();
    var _ = ensure(set);
    return set;
  }

  private AutoScalingRunnerSet renamed(AutoScalingRunnerSet set) {
    var renamed = set("a", "runnerScaleSetName: present");
    renamed.getMetadata().setGeneration(2L);
    renamed.setStatus(set.getStatus());
    return renamed;
  }

  /** The answer is of a generation that is over, and still a scale set was made (NM5). */
  @Test
  void aScaleSetThatWasMadeForAFormerSpecGetsThePresentName() {
    var set = setThatAsksForAScaleSet();
    var renamed = renamed(set);
    var _ = ensure(renamed);
    queued.removeFirst().run();
    assertThat(passes(renamed)).isEqualTo("Asking Registered");
    assertThat(service.asked).containsExactly("FIND former", "CREATE former", "UPDATE 1");
    assertThat(service.byId.values()).extracting(ScaleSet::name).containsExactly("present");
  }

  @Test
  void anIntentOfAFormerSpecIsTakenBackWhenItsRequestIsRefused() {
    var set = setThatAsksForAScaleSet();
    service.fault = new ServiceError.Forbidden(FakeScaleSets.details(403));
    queued.removeFirst().run();
    service.fault = null;
    var renamed = renamed(set);
    assertThat(passes(renamed)).isEqualTo("Asking Asking Registered");
    assertThat(intents).element(1).isEqualTo("none");
    assertThat(service.byId.values()).extracting(ScaleSet::name).containsExactly("present");
  }
}
