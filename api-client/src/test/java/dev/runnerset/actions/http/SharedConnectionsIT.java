package dev.runnerset.actions.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.Credentials;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import mockwebserver3.junit5.StartStop;
import org.junit.jupiter.api.Test;

/** One registration and one HTTP client for all who have the same credentials (protocol 1.6). */
final class SharedConnectionsIT {
  private static final ScaleSetId ID = new ScaleSetId(7);

  @StartStop final MockWebServer server = new MockWebServer();

  private final SharedConnections shared = new SharedConnections((duration, signal) -> {});

  @Test
  void aThousandSetsOfOneCredentialRegisterOnce() {
    var stub = answering();
    var settings = stub.settings();
    var services =
        Stream.generate(() -> shared.connect(settings.withRetry(RetryRules.DEFAULT)))
            .limit(1000)
            .toList();
    // each fiftieth asks: a thousand calls over one connection take long and show no more
    for (int i = 0; i < services.size(); i += 50) {
      assertThat(services.get(i).scaleSet(ID)).isPresent();
    }
    assertThat(stub.registrations()).isEqualTo(1);
    assertThat(stub.requests)
        .extracting(RecordedRequest::getConnectionIndex)
        .as("over one connection")
        .containsOnly(0);
  }

  @Test
  void otherCredentialsAndOtherUrlsHaveARegistrationOfTheirOwnAndTheSameClient() {
    var stub = answering();
    var some = stub.settings();
    var repository = ConfigUrl.parse(stub.url("/o/r"));
    for (var settings : List.of(some, with(some, "other"), with(some, repository))) {
      assertThat(shared.connect(settings).scaleSet(ID)).isPresent();
    }
    assertThat(stub.registrations()).isEqualTo(3);
    assertThat(stub.requests).extracting(RecordedRequest::getConnectionIndex).containsOnly(0);
  }

  /** A host that hangs does so for every credential. */
  @Test
  void callsToOneHostShareTheirLimitWhateverTheirCredentials() {
    var stub = new StubService(server);
    stub.registration =
        request -> {
          stub.clock.advance(Duration.ofSeconds(15)); // nothing comes, and it takes long
          return StubService.json(500, "");
        };
    var limits = CallLimits.atMost(32);
    var some = stub.settings().withRetry(RetryRules.ONCE).withLimits(limits);
    for (int i = 0; i < limits.failures(); i++) {
      fails(shared.connect(with(some, "token-" + i).withRetry(RetryRules.ONCE).withLimits(limits)));
    }
    assertThat(fails(shared.connect(with(some, "x").withRetry(RetryRules.ONCE).withLimits(limits))))
        .isInstanceOf(ServiceError.NotSent.class);
  }

  private static ServiceError fails(ActionsService service) {
    return assertThatExceptionOfType(ServiceException.class)
        .isThrownBy(() -> service.scaleSet(ID))
        .actual()
        .error();
  }

  @Test
  void whatOneUserClosesServesTheOthersUntilTheLast() {
    var stub = answering();
    var settings = stub.settings();
    var users = new ArrayList<ActionsService>();
    for (int i = 0; i < 3; i++) {
      users.add(shared.connect(settings));
    }
    assertThat(users.getFirst().scaleSet(ID)).isPresent();
    users.getFirst().close();
    users.getFirst().close(); // a second time is none
    users.get(1).close();
    assertThat(users.get(2).scaleSet(ID)).isPresent();
    assertThat(shared.connect(settings).scaleSet(ID)).isPresent();
    assertThat(stub.registrations()).isEqualTo(1);
  }

  @Test
  void afterTheLastUserNothingIsLeft() {
    var stub = answering();
    var settings = stub.settings();
    for (int i = 0; i < 2; i++) {
      try (var service = shared.connect(settings)) {
        assertThat(service.scaleSet(ID)).isPresent();
      }
    }
    assertThat(stub.registrations()).isEqualTo(2);
    assertThat(stub.requests).extracting(RecordedRequest::getConnectionIndex).contains(0, 1);
  }

  private StubService answering() {
    var stub = new StubService(server);
    stub.service = request -> StubService.json(200, "{\"id\":7}");
    return stub;
  }

  private static ServiceSettings with(ServiceSettings some, String token) {
    return ServiceSettings.of(
            some.url(), new Credentials.Token(token), some.userAgent(), some.clock())
        .withRoute(some.route())
        .withRandom(some.calls().random());
  }

  private static ServiceSettings with(ServiceSettings some, ConfigUrl url) {
    return ServiceSettings.of(url, some.credentials(), some.userAgent(), some.clock())
        .withRoute(some.route())
        .withRandom(some.calls().random());
  }
}
