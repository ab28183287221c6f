package dev.runnerset.controller.connection;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.connection.ConnectionKey;
import dev.runnerset.connection.InvalidConnectionException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Connections to the Actions service, one for each URL and secret; shared by all reconcilers. */
public interface ServiceConnections {
  /**
   * The connection for a set or a runner. Reads the credentials secret for a new connection, and
   * blocks for that reading; a changed secret is followed later.
   *
   * @throws InvalidConnectionException when URL, secret, proxy or certificate are unusable; its
   *     reason and message are fit for a condition
   */
  ActionsService to(ConnectionKey key);

  /**
   * The connection for what is cleaned up: if what the key names is gone or unusable, the one that
   * was made from it last (DL4). Blocks and throws as {@link #to} does.
   */
  default ActionsService toCleanUp(ConnectionKey key) {
    return to(key);
  }

  /**
   * A number that changes with what the key names: with the credentials, and when the secret goes
   * or comes. Never blocks.
   */
  default long version(ConnectionKey key) {
    return 0;
  }

  /**
   * Why the service lets these credentials neither register runners with that scale set nor remove
   * them; null if it does, or nobody knows. Never blocks.
   */
  default @Nullable ServiceError refusal(ConnectionKey key, ScaleSetId id) {
    return null;
  }

  /**
   * The id of a scale set may be somebody else's since then, as after a restore of the service: no
   * runner is registered with it, until it is {@link #proved}. Never blocks.
   */
  default void doubted(ConnectionKey key, ScaleSetId id, Instant since) {}

  /** The scale set was known again by a call that began then. Never blocks. */
  default void proved(ConnectionKey key, ScaleSetId id, Instant askedAt) {}

  /** Whether the scale set is in doubt. Never blocks. */
  default boolean isDoubted(ConnectionKey key, ScaleSetId id) {
    return false;
  }

  /**
   * Whether a runner may ask for its JIT config now, at the pace of the credentials (CN3): empty if
   * it may, and must then do so. Never blocks.
   *
   * @param id the scale set that the runner is registered for
   * @param set what shares the turns of the credentials: the name of the runner's set
   * @param runner what tells it from others of its set
   */
  default Optional<JitWait> jitTurn(ConnectionKey key, ScaleSetId id, String set, String runner) {
    return Optional.empty();
  }
}
