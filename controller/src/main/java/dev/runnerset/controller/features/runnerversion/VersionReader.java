package dev.runnerset.controller.features.runnerversion;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.RunnerVersion;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.VersionDates;
import dev.runnerset.connection.ConnectionKey;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.controller.connection.ServiceConnections;
import dev.runnerset.crds.RunnerVersionStatus;
import dev.runnerset.crds.RunnerVersionStatus.From;
import java.time.Clock;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the version that a runner has, and the dates of that version (RN21). Thread-safe. */
final class VersionReader {
  private static final Logger LOG = LoggerFactory.getLogger(VersionReader.class);

  private final ServiceConnections connections;
  private final VersionDatesCache dates;
  private final Clock clock;

  VersionReader(ServiceConnections connections, Clock clock) {
    this.connections = connections;
    this.dates = new VersionDatesCache(clock);
    this.clock = clock;
  }

  /**
   * A runner that has been online.
   *
   * @param id of its registration
   * @param imageVersion the version in the tag of its image; null for none
   * @param revision of its pod
   * @param imageId of its container, as the node names it; null if that is not known
   */
  record Question(
      ConnectionKey connection,
      RunnerId id,
      @Nullable RunnerVersion imageVersion,
      String revision,
      @Nullable String imageId) {}

  /** What was read, and whether all of it was: else it is read again. */
  record Answer(@Nullable RunnerVersionStatus status, boolean complete) {}

  private record Found(@Nullable RunnerVersion version, From from) {}

  /** What an earlier process read. */
  void learned(ConnectionKey connection, RunnerVersionStatus written) {
    RunnerVersion.parse(written.version())
        .ifPresent(version ->
            dates.learned(
                connection,
                version,
                new VersionDates(written.receivesJobsUntil(), written.registersUntil()),
                written.observedAt()));
  }

  /** Reads; blocks for calls of the service. A failure is an answer that is not complete. */
  Answer read(Question question, @Nullable RunnerVersionStatus before) {
    try {
      var service = connections.to(question.connection());
      var found = version(question, service);
      return answer(question, found, before, service);
    } catch (ServiceException | InvalidConnectionException e) {
      report(question, e);
      return new Answer(null, false);
    }
  }

  private Answer answer(
      Question question,
      Found found,
      @Nullable RunnerVersionStatus before,
      ActionsService service) {
    if (found.version() == null) {
      return new Answer(status(question, found, null), true);
    }
    try {
      var known = dates.of(question.connection(), found.version(), service);
      return new Answer(status(question, found, known), true);
    } catch (ServiceException e) {
      report(question, e);
      return new Answer(status(question, found, datesBefore(before, found.version())), false);
    }
  }

  private static @Nullable VersionDates datesBefore(
      @Nullable RunnerVersionStatus before, RunnerVersion version) {
    return before == null || !version.text().equals(before.version())
        ? null
        : new VersionDates(before.receivesJobsUntil(), before.registersUntil());
  }

  /** As the runner reported it; else as GitHub lists it; else by the tag of its image. */
  private static Found version(Question question, ActionsService service) {
    var registered = service.runner(question.id()).map(runner -> runner.version());
    if (registered.isPresent()) {
      return new Found(registered.get(), From.RUNNER);
    }
    return listed(question, service)
        .map(version -> new Found(version, From.REST_API))
        .orElseGet(() ->
            new Found(
                question.imageVersion(),
                question.imageVersion() == null ? From.UNKNOWN : From.IMAGE_TAG));
  }

  private static Optional<RunnerVersion> listed(Question question, ActionsService service) {
    try {
      return service.listedVersion(question.id());
    } catch (ServiceException e) {
      report(question, e);
      return Optional.empty(); // the tag is the next to ask
    }
  }

  private RunnerVersionStatus status(Question question, Found found, @Nullable VersionDates known) {
    return new RunnerVersionStatus(
        found.version() == null ? null : found.version().text(),
        found.from(),
        known == null ? null : known.receivesJobsUntil(),
        known == null ? null : known.registersUntil(),
        clock.instant(),
        question.revision(),
        question.imageId());
  }

  private static void report(Question question, RuntimeException failure) {
    LOG.atInfo()
        .addKeyValue("namespace", question.connection().namespace())
        .addKeyValue("runnerId", question.id())
        .addKeyValue("error", failure.getMessage())
        .log("the version of a runner could not be read whole; it is read again");
  }
}
