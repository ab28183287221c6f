package dev.runnerset.controller.features.runnerversion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.RunnerReference;
import dev.runnerset.actions.RunnerVersion;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.VersionDates;
import dev.runnerset.connection.ConnectionKey;
import dev.runnerset.crds.RunnerVersionStatus;
import dev.runnerset.crds.RunnerVersionStatus.From;
import dev.runnerset.testsupport.TestClock;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RN21: who is asked for the version and for its dates, and how often. */
final class VersionReaderTest {
  private static final Instant T0 = Instant.parse("2026-11-20T12:00:00Z");
  private static final Instant UNTIL = Instant.parse("2026-12-01T00:00:00Z");
  private static final ServiceException REFUSED =
      new ServiceException(
          new ServiceError.Forbidden(ServiceError.Details.unanswered("GET x", "not allowed")));

  private final TestClock clock = new TestClock(T0);
  private final List<String> calls = new ArrayList<>();
  private @Nullable RunnerVersion registered;
  private @Nullable RunnerVersion listed;
  private boolean listRefused;
  private boolean datesRefused;
  private boolean released = true;
  private final VersionReader reader = new VersionReader(key -> service(), clock);

  private ActionsService service() {
    return (ActionsService)
        Proxy.newProxyInstance(
            ActionsService.class.getClassLoader(),
            new Class<?>[] {ActionsService.class},
            (proxy, method, arguments) -> {
              calls.add(method.getName() + " " + arguments[0]);
              return switch (method.getName()) {
                case "runner" ->
                    Optional.of(
                        new RunnerReference(
                            new RunnerId(7), "ci-1", new ScaleSetId(1), registered));
                case "listedVersion" -> {
                  if (listRefused) {
                    throw REFUSED;
                  }
                  yield Optional.ofNullable(listed);
                }
                case "versionDates" -> {
                  if (datesRefused) {
                    throw REFUSED;
                  }
                  yield released ? Optional.of(new VersionDates(UNTIL, null)) : Optional.empty();
                }
                default -> throw new IllegalStateException(method.getName());
              };
            });
  }

  private static ConnectionKey key(String secret) {
    return new ConnectionKey("ci", "https://github.com/my-org", secret, null, null);
  }

  private VersionReader.Answer read(@Nullable String tag, @Nullable RunnerVersionStatus before) {
    return read("github", tag, before);
  }

  private VersionReader.Answer read(
      String secret, @Nullable String tag, @Nullable RunnerVersionStatus before) {
    return reader.read(
        new VersionReader.Question(
            key(secret), new RunnerId(7), RunnerVersion.parse(tag).orElse(null), "r1", "sha256:1"),
        before);
  }

  private static @Nullable RunnerVersion version(@Nullable String text) {
    return RunnerVersion.parse(text).orElse(null);
  }

  @ParameterizedTest(name = "registered {0}, listed {1}, tag {2}: {3} from {4}")
  @CsvSource({
    "2.338.1, 2.337.0, 2.336.0, false, 2.338.1, RUNNER,    runner 7|versionDates 2.338.1",
    "       , 2.337.0, 2.336.0, false, 2.337.0, REST_API,  runner 7|listedVersion 7|versionDates 2.337.0",
    "       ,        , 2.336.0, false, 2.336.0, IMAGE_TAG, runner 7|listedVersion 7|versionDates 2.336.0",
    "       , 2.337.0, 2.336.0, true,  2.336.0, IMAGE_TAG, runner 7|listedVersion 7|versionDates 2.336.0",
    "       ,        , latest,  false, ,        UNKNOWN,   runner 7|listedVersion 7"
  })
  void theNearestSourceCounts(
      String ofService,
      String ofList,
      String tag,
      boolean refused,
      @Nullable String version,
      From from,
      String asked) {
    registered = version(ofService);
    listed = version(ofList);
    listRefused = refused;

    var answer = read(tag, null);

    assertThat(answer.complete()).isTrue();
    var status = Objects.requireNonNull(answer.status());
    assertThat(status.version()).isEqualTo(version);
    assertThat(status.from()).isEqualTo(from);
    assertThat(status.receivesJobsUntil()).isEqualTo(version == null ? null : UNTIL);
    assertThat(status.revision() + " " + status.imageID()).isEqualTo("r1 sha256:1");
    assertThat(String.join("|", calls)).isEqualTo(asked);
  }

  @Test
  void theDatesAreAskedForOnceADayForAVersionAndACredential() {
    registered = version("2.338.1");
    read(null, null);
    clock.advance(Duration.ofHours(23));
    read(null, null);
    read("other", null, null);
    assertThat(datesAsked()).as("once for each credential").isEqualTo(2);
    clock.advance(Duration.ofHours(1));
    read(null, null);
    assertThat(datesAsked()).isEqualTo(3);
  }

  @Test
  void whatAnEarlierProcessLearnedIsNotAskedForAgain() {
    registered = version("2.338.1");
    var written =
        new RunnerVersionStatus(
            "2.338.1", From.RUNNER, T0, null, T0.minus(Duration.ofHours(2)), "r0", null);
    reader.learned(key("github"), written);
    assertThat(read(null, written).status()).extracting(s -> s.receivesJobsUntil()).isEqualTo(T0);
    assertThat(datesAsked()).isZero();
  }

  @Test
  void aVersionThatWasNeverReleasedHasNoDates() {
    registered = version("9.9.9");
    released = false;
    var answer = read(null, null);
    assertThat(answer.complete()).isTrue();
    assertThat(Objects.requireNonNull(answer.status()).servedUntil()).isNull();
  }

  @Test
  void datesThatCannotBeReadStayAndAreReadAgain() {
    registered = version("2.338.1");
    var first = read(null, null).status();
    datesRefused = true;
    clock.advance(Duration.ofDays(1));

    var same = read(null, first);
    assertThat(same.complete()).isFalse();
    assertThat(Objects.requireNonNull(same.status()).receivesJobsUntil()).isEqualTo(UNTIL);

    registered = version("2.339.0");
    assertThat(Objects.requireNonNull(read(null, first).status()).receivesJobsUntil())
        .as("another version has other dates")
        .isNull();
  }

  private long datesAsked() {
    return calls.stream().filter(call -> call.startsWith("versionDates")).count();
  }
}
