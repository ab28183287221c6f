package dev.runnerset.listener.session;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.connection.ConnectionSettings;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.listener.session.context.KubeRefusal;
import dev.runnerset.listener.session.context.ListenerSnapshot;
import dev.runnerset.listener.session.context.LoopContext;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection of one loop to the service, and the credentials it was made with (SF7). Used by
 * the loop's thread.
 */
final class Connection {
  private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

  private final LoopContext context;
  private @Nullable ActionsService service;
  private @Nullable ConnectionSettings access;
  private Instant readAt = Instant.EPOCH;
  private boolean outdated;

  Connection(LoopContext context) {
    this.context = context;
  }

  /**
   * Reads the credentials and connects again.
   *
   * @throws InvalidConnectionException when the user has to change something
   */
  void open(ListenerSnapshot listener) {
    close();
    var now = context.inbox().now();
    var read = context.service().access().read(listener.spec());
    service = context.service().connector().connect(read);
    access = read;
    readAt = now;
    outdated = false;
  }

  /**
   * The connection that is open.
   *
   * @throws IllegalStateException before the first {@link #open}
   */
  ActionsService service() {
    if (service == null) {
      throw new IllegalStateException("not connected");
    }
    return service;
  }

  /** When the credentials must be read again. */
  Instant readAgainAt() {
    return readAt.plus(context.settings().credentialsAge());
  }

  /** Whether the credentials must be read again now. */
  boolean isOld() {
    return !context.inbox().now().isBefore(readAgainAt());
  }

  /** The service refused what was asked with these credentials: they count as old from now on. */
  void doubt() {
    readAt = Instant.EPOCH;
  }

  /** Reads the credentials if they are old. If they cannot be read, the present ones stay. */
  void readAgainIfOld(ListenerSnapshot listener) {
    if (!isOld()) {
      return;
    }
    readAt = context.inbox().now();
    try {
      outdated |= !context.service().access().read(listener.spec()).equals(access);
    } catch (InvalidConnectionException | KubeRefusal e) {
      // the service says when the present credentials no longer work
      LOG.atDebug()
          .addKeyValue("listener", listener.name())
          .addKeyValue("why", e.getMessage())
          .log("credentials could not be read again");
    }
  }

  /** Whether other credentials were read since {@link #open}. */
  boolean isOutdated() {
    return outdated;
  }

  /** Frees the connection. Sessions stay open at the service. */
  void close() {
    if (service != null) {
      service.close();
      service = null;
    }
  }
}
