package dev.runnerset.actions.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.CreateScaleSetResult;
import dev.runnerset.actions.Credentials;
import dev.runnerset.actions.JitConfigResult;
import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.JobEvent;
import dev.runnerset.actions.MessageSession;
import dev.runnerset.actions.NewScaleSet;
import dev.runnerset.actions.OpenSessionResult;
import dev.runnerset.actions.PollResult;
import dev.runnerset.actions.RemoveRunnerResult;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.ScaleSet;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.Statistics;
import dev.runnerset.simulator.service.ActionsServiceServer;
import dev.runnerset.simulator.service.FaultPlan;
import dev.runnerset.simulator.service.Flavour;
import dev.runnerset.simulator.service.HttpFault;
import dev.runnerset.simulator.service.JobRequest;
import dev.runnerset.simulator.service.Options;
import dev.runnerset.simulator.service.Timings;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Client and simulated service, each written from the protocol alone, agree on it. */
final class SimulatedServiceContractIT {
  private static final Clock CLOCK = StubService.CLOCK;
  private static final NewScaleSet WANTED =
      new NewScaleSet("ci", RunnerGroupId.DEFAULT, List.of("ci", "gpu"));

  private ActionsServiceServer server;
  private ActionsService service;

  @BeforeEach
  void start() {
    server =
        ActionsServiceServer.start(
            Options.accepting("pat")
                .withGroups(Set.of("big"))
                .withTimings(Timings.defaults().withMessagePoll(Duration.ofMillis(100))),
            CLOCK);
    service = connect("pat");
  }

  @AfterEach
  void stop() {
    service.close();
    server.close();
  }

  @Test
  void scaleSetsAreMadeFoundChangedAndDeleted() {
    assertThat(service.runnerGroup("big")).contains(new RunnerGroupId(2));
    assertThat(service.runnerGroup("none")).isEmpty();
    assertThat(service.findScaleSet(RunnerGroupId.DEFAULT, "ci")).isEmpty();

    var set = created();
    assertThat(set.name()).isEqualTo("ci");
    assertThat(set.labels()).containsExactlyInAnyOrder("ci", "gpu");
    assertThat(service.createScaleSet(WANTED)).isEqualTo(new CreateScaleSetResult.NameTaken());
    assertThat(service.findScaleSet(RunnerGroupId.DEFAULT, "ci").map(ScaleSet::id))
        .contains(set.id());
    assertThat(service.scaleSet(set.id()).map(ScaleSet::statistics))
        .contains(new Statistics(0, 0, 0, 0, 0, 0, 0));

    var moved =
        service.updateScaleSet(
            set.id(),
            new NewScaleSet("ci 2/é", new RunnerGroupId(2), List.of("ci 2/é", "gpu", "big")));
    assertThat(moved.name()).isEqualTo("ci 2/é");
    assertThat(moved.labels()).containsExactlyInAnyOrder("ci 2/é", "gpu", "big");
    assertThat(moved.runnerGroupId()).isEqualTo(new RunnerGroupId(2));
    assertThat(service.findScaleSet(new RunnerGroupId(2), "ci 2/é").map(ScaleSet::id))
        .contains(set.id());

    service.deleteScaleSet(set.id());
    assertThat(service.scaleSet(set.id())).isEmpty();
    service.deleteScaleSet(set.id());
  }

  @Test
  void runnersAreRegisteredFoundAndRemoved() {
    var set = created();
    var registered =
        (JitConfigResult.Registered) service.generateJitConfig(set.id(), "ci-1", "_work");
    assertThat(registered.config().encoded()).isNotEmpty();
    assertThat(registered.runner().scaleSetId()).isEqualTo(set.id());
    var id = registered.runner().id();
    assertThat(service.runner(id)).contains(registered.runner());
    assertThat(service.runnerNamed("ci-1")).contains(registered.runner());
    assertThat(service.runnerNamed("ci-2")).isEmpty();
    assertThat(service.generateJitConfig(set.id(), "ci-1", ""))
        .isEqualTo(new JitConfigResult.NameTaken());

    assertThat(service.removeRunner(id)).isEqualTo(new RemoveRunnerResult.Removed());
    assertThat(service.runner(id)).isEmpty();
    assertThat(service.removeRunner(id)).isEqualTo(new RemoveRunnerResult.Removed());
    assertThat(service.removeRunner(new RunnerId(4711)))
        .isEqualTo(new RemoveRunnerResult.Removed());
  }

  @Test
  void aLostAnswerToARegistrationIsATakenNameOfOurOwn() {
    var set = created();
    server.control().faults(FaultPlan.NONE.withHttp(HttpFault.lostReply("generatejitconfig", 1)));
    assertThat(service.generateJitConfig(set.id(), "ci-1", ""))
        .isEqualTo(new JitConfigResult.NameTaken());
    assertThat(service.runnerNamed("ci-1"))
        .hasValueSatisfying(r -> assertThat(r.scaleSetId()).isEqualTo(set.id()));
  }

  @Test
  void aSessionIsTheOnlyOneAndBringsMessagesUntilTheyAreAcknowledged() {
    var set = created();
    var session = opened(set);
    assertThat(service.openSession(set.id(), "other"))
        .isInstanceOf(OpenSessionResult.Conflict.class);
    assertThat(session.poll(0, 2)).isEqualTo(new PollResult.Nothing());

    var jobs = server.control().submit(JobRequest.of(3, "ci", Duration.ofSeconds(5)));
    var message = message(session, 0);
    assertThat(message.statistics())
        .isNotNull()
        .satisfies(counts -> assertThat(counts.assigned()).isEqualTo(2))
        .satisfies(counts -> assertThat(counts.available()).isEqualTo(1));
    assertThat(message.events())
        .hasSize(2)
        .allSatisfy(event -> assertThat(event).isInstanceOf(JobEvent.JobAssigned.class))
        .extracting(event -> event.job().key())
        .isSubsetOf(jobs.stream().map(Object::toString).toList());
    assertThat(message(session, 0)).isEqualTo(message);
    session.acknowledge(message.messageId());
    assertThat(session.poll(0, 2)).isEqualTo(new PollResult.Nothing());
    session.acknowledge(message.messageId());

    session.close();
    opened(set).close();
  }

  @Test
  void aRefusedQueueTokenIsRenewedAndADeadSessionIsLost() {
    var set = created();
    var session = opened(set);
    server.control().faults(FaultPlan.NONE.withHttp(HttpFault.answer("getMessage", 401, 1)));
    assertThat(session.poll(0, 1)).isEqualTo(new PollResult.Nothing());
    assertThat(server.control().counters()).containsEntry("refreshSession", 1L);

    service.deleteSession(set.id(), session.id());
    var failure = catchThrowableOfType(ServiceException.class, () -> session.poll(0, 1));
    assertThat(failure.error()).isInstanceOf(ServiceError.SessionLost.class);
    session.close();
    opened(set).close();
  }

  @Test
  void errorsInTheBrokersShapeAndWithAByteOrderMarkAreUnderstood() {
    var set = created();
    var nested =
        HttpFault.answer("removeRunner", 400, 1)
            .withException("GitHub.DistributedTask.WebApi.TaskAgentJobStillRunningException")
            .withBody(HttpFault.Body.NESTED);
    server.control().faults(FaultPlan.NONE.withHttp(nested).withByteOrderMark(true));
    assertThat(service.removeRunner(new RunnerId(4711)))
        .isEqualTo(new RemoveRunnerResult.JobStillRunning());
    assertThat(service.scaleSet(set.id())).isPresent();
  }

  @Test
  void wrongCredentialsAndUnknownSetsHaveNames() {
    var stranger =
        catchThrowableOfType(ServiceException.class, () -> connect("wrong").runnerGroup("Default"));
    assertThat(stranger.error()).isInstanceOf(ServiceError.Unauthorized.class);
    var set = created();
    service.deleteScaleSet(set.id());
    var gone =
        catchThrowableOfType(
            ServiceException.class, () -> service.generateJitConfig(set.id(), "ci-1", ""));
    assertThat(gone.error()).isInstanceOf(ServiceError.NotFound.class);
    assertThat(gone.error().details().typeName()).contains("RunnerScaleSetNotFoundException");
  }

  /** The public list of runners (protocol 3.15). */
  @Test
  void thePublicListTellsAllRegistrationsInPages() {
    var set = ((CreateScaleSetResult.Created) service.createScaleSet(WANTED)).scaleSet();
    for (int i = 0; i < 205; i++) {
      assertThat(service.generateJitConfig(set.id(), "ci-" + i, ""))
          .isInstanceOf(JitConfigResult.Registered.class);
    }

    var all = service.runners(10);
    assertThat(all.total()).isEqualTo(205);
    assertThat(all.runners()).hasSize(205).noneMatch(runner -> runner.busy());
    assertThat(service.runner(all.runners().getLast().id()))
        .hasValueSatisfying(found -> assertThat(found.scaleSetId()).isEqualTo(set.id()));
    assertThat(server.control().counters()).containsEntry("listRunners", 3L);

    var first = service.runners(1);
    assertThat(first.runners()).as("one page").hasSize(100);
    assertThat(first.total()).isEqualTo(205);

    server.control().faults(FaultPlan.NONE.withHttp(HttpFault.answer("listRunners", 403, 1)));
    var refused = catchThrowableOfType(ServiceException.class, () -> service.runners(1));
    assertThat(refused.error()).isInstanceOf(ServiceError.Forbidden.class);
  }

  /** What a gateway before the service answers says nothing of runners and sets (protocol 2.5). */
  @Test
  void aRunnerThatAGatewayDoesNotFindIsNotGone() {
    var set = created();
    var made = (JitConfigResult.Registered) service.generateJitConfig(set.id(), "ci-1", "");
    var gateway =
        Stream.of("removeRunner", "getRunner", "getScaleSet", "deleteScaleSet")
            .map(endpoint -> HttpFault.gateway(endpoint, 404))
            .toArray(HttpFault[]::new);
    server.control().faults(FaultPlan.NONE.withHttp(gateway));
    var id = made.runner().id();
    assertThat(service.removeRunner(id)).isInstanceOf(RemoveRunnerResult.Failed.class);
    assertThatThrownBy(() -> service.runner(id)).isInstanceOf(ServiceException.class);
    assertThatThrownBy(() -> service.scaleSet(set.id())).isInstanceOf(ServiceException.class);
    assertThatThrownBy(() -> service.deleteScaleSet(set.id())).isInstanceOf(ServiceException.class);
    server.control().faults(FaultPlan.NONE);
    assertThat(service.removeRunner(id)).isEqualTo(new RemoveRunnerResult.Removed());
    assertThat(service.removeRunner(id)).isEqualTo(new RemoveRunnerResult.Removed());
  }

  /** Only a legacy service offers jobs; a broker knows neither call (protocol 3.12). */
  @Test
  void offersAreAcquiredWhereThereAreAny() {
    var assigning = created();
    assertThat(service.acquirableJobs(assigning.id())).isEmpty();
    try (var session = opened(assigning)) {
      assertThat(session.acquire(List.of(1L))).isEmpty();
    }

    stop();
    server =
        ActionsServiceServer.start(Options.accepting("pat").withFlavour(Flavour.LEGACY), CLOCK);
    service = connect("pat");
    var set = created();
    var session = opened(set);
    assertThat(server.control().submit(JobRequest.of(2, "ci", Duration.ofSeconds(5)))).hasSize(2);
    var offers =
        service.acquirableJobs(set.id()).stream().map(JobDescription::runnerRequestId).toList();
    assertThat(offers).hasSize(2);
    assertThat(message(session, 0).events())
        .allSatisfy(event -> assertThat(event).isInstanceOf(JobEvent.JobAvailable.class))
        .extracting(event -> event.job().runnerRequestId())
        .containsAll(offers);
    assertThat(session.acquire(List.of(offers.getLast(), 4711L))).containsExactly(offers.getLast());
    assertThat(service.acquirableJobs(set.id()))
        .extracting(JobDescription::runnerRequestId)
        .containsExactly(offers.getFirst());
  }

  private ActionsService connect(String token) {
    return new SharedConnections((duration, signal) -> {})
        .connect(
            ServiceSettings.of(
                    ConfigUrl.parse(server.configUrl("my-org").toString()),
                    new Credentials.Token(token),
                    UserAgent.of("1", "controller"),
                    CLOCK)
                .withAllowedHosts(AllowedHosts.of("127.0.0.1", "localhost")));
  }

  private ScaleSet created() {
    return ((CreateScaleSetResult.Created) service.createScaleSet(WANTED)).scaleSet();
  }

  private MessageSession opened(ScaleSet set) {
    return ((OpenSessionResult.Opened) service.openSession(set.id(), "me")).session();
  }

  private static PollResult.Message message(MessageSession session, long after) {
    return (PollResult.Message) session.poll(after, 2);
  }
}
