package dev.runnerset.listener.session;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.crds.condition.AccessReason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connection of one loop to the service, and the credentials it was made with. */
final class Connection {
  private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

  private final LoopContext context;
  private @Nullable ActionsService service;
  private @Nullable ServiceAccess access;
  private Instant readAt = Instant.EPOCH;
  private boolean outdated;

  Connection(LoopContext context) {
    this.context = context;
  }

  /**
   * Reads the credentials and connects anew.
   *
   * @throws UnusableAccessException when the user has to change something
   */
  void open(ListenerSnapshot listener) {
    close();
    var now = context.inbox().now();
    var read = context.service().access().read(listener.spec());
    try {
      service = context.service().connector().connect(read);
    } catch (IllegalArgumentException e) {
      throw new UnusableAccessException(
          AccessReason.INVALID_CONNECTION, String.valueOf(e.getMessage()));
    }
    access = read;
    readAt = now;
    outdated = false;
  }

  /** The connection; there is one from CONNECT on. */
  ActionsService service() {
    if (service == null) {
      throw new IllegalStateException("not connected");
    }
    return service;
  }

  /** When the credentials are to be read again. */
  Instant readAgainAt() {
    return readAt.plus(context.settings().credentialsAge());
  }

  /** Whether the credentials are to be read again by now. */
  boolean isOld() {
    return !context.inbox().now().isBefore(readAgainAt());
  }

  /** The service refused what these credentials asked for: they are old from now on. */
  void doubt() {
    readAt = Instant.EPOCH;
  }

  /** Reads the credentials when they are old. What cannot be read changes nothing. */
  void readAgainIfOld(ListenerSnapshot listener) {
    if (!isOld()) {
      return;
    }
    readAt = context.inbox().now();
    try {
      outdated |= !context.service().access().read(listener.spec()).equals(access);
    } catch (UnusableAccessException | KubeRefusal e) {
      // the present ones still work; the service says when they no longer do
      LOG.atDebug()
          .addKeyValue("listener", listener.name())
          .addKeyValue("why", e.getMessage())
          .log("credentials could not be read again");
    }
  }

  /** Whether other credentials were read since. */
  boolean isOutdated() {
    return outdated;
  }

  /** Frees it; sessions stay open at the service. */
  void close() {
    if (service != null) {
      service.close();
      service = null;
    }
  }
}
