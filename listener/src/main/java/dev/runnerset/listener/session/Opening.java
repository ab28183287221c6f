package dev.runnerset.listener.session;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.MessageSession;
import dev.runnerset.actions.OpenSessionResult;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.SessionId;
import dev.runnerset.connection.ScaleSetIdentities;
import dev.runnerset.crds.ScaleSetIdentity;
import dev.runnerset.crds.condition.ListenerReason;
import dev.runnerset.listener.metrics.ListenerMeter;
import dev.runnerset.listener.session.context.LoopContext;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the session of one set (SF5). A scale set has at most one session, and a session that this
 * process lost may still be open at the service. So the session last known is deleted before each
 * opening; else the opening would conflict with it until the service forgets it. Used by the loop's
 * thread.
 */
final class Opening {
  private static final Logger LOG = LoggerFactory.getLogger(Opening.class);

  /** The service forgets a session 91 s after its last contact (protocol 4.7). */
  static final Duration SESSION_LIFE = Duration.ofSeconds(100);

  /** Between two attempts while another session holds the scale set. */
  private static final Duration CONFLICT_WAIT = Duration.ofSeconds(6);

  /** How the legacy flavour names the owner of the open session (protocol 2.6). */
  private static final Pattern OWNER = Pattern.compile("active session for owner (\\S+?)\\.?$");

  private final LoopContext context;
  private final SessionStatus status;
  private final LoopBackoff backoff;
  private final Set<String> ourNames = new HashSet<>();
  private @Nullable Instant mayBeOursUntil;
  private boolean foundOne;
  private boolean conflicting;

  Opening(LoopContext context, SessionStatus status, LoopBackoff backoff) {
    this.context = context;
    this.status = status;
    this.backoff = backoff;
    ourNames.add(context.settings().identity());
  }

  /**
   * How an attempt ended.
   *
   * @param session the open session, or null; then the status says why, and the attempt is made
   *     again after the pause
   */
  record Attempt(@Nullable MessageSession session, Duration pause) {}

  /**
   * The set was taken over. The status names the session of the former holder, if it wrote one.
   *
   * @param first whether nobody held the set before: then no session can be our own
   */
  void takenOver(boolean first) {
    foundOne = !status.sessionId().isEmpty();
    ourNames.add(status.formerHolder());
    if (!first) {
      doubt(); // the former holder may have ended between opening a session and writing it down
    }
  }

  /**
   * Looks whether the scale set is the one that the id meant, deletes the session last known, then
   * opens one. Each of the three may take the time of a whole call, so the status reports a
   * deletion that failed before the opening is tried, unless the last attempt ended with a
   * conflict, which says so too.
   *
   * @param identity by what the scale set is known; null if that is not known
   * @throws ServiceException when the scale set could not be read, when no session was opened, or
   *     when nobody knows
   */
  Attempt attempt(ScaleSetId id, @Nullable ScaleSetIdentity identity, ActionsService service) {
    // INVARIANT: an id proves nothing: a restored server gives it again (NM5)
    var found = identity == null ? null : service.scaleSet(id).orElse(null);
    if (identity != null && found != null && !identity.isThatOf(ScaleSetIdentities.of(found))) {
      return notOpened(SessionFinding.notOurs(found, identity), backoff.next(null));
    }
    try {
      deleteFormer(id, service);
    } catch (ServiceException e) {
      doubt();
      LOG.atWarn()
          .addKeyValue("scaleSet", id)
          .addKeyValue("session", status.sessionId())
          .addKeyValue("why", e.getMessage())
          .log("the session last known could not be deleted; another is opened all the same");
      if (!conflicting) {
        status.notConnected(SessionFinding.of(e.error()));
      }
    }
    var answer = open(id, service);
    conflicting = answer instanceof OpenSessionResult.Conflict;
    if (conflicting) {
      context.series().counted(ListenerMeter.SESSIONS, "conflict");
    }
    return switch (answer) {
      case OpenSessionResult.Opened(var session) -> new Attempt(session, Duration.ZERO);
      case OpenSessionResult.Conflict(var words) ->
          notOpened(
              conflict(words),
              status.sessionId().isEmpty()
                  ? backoff.jittered(CONFLICT_WAIT, 0.3)
                  : backoff.soon()); // our own: it is deleted with the next attempt
      case OpenSessionResult.Unusable(var session, var lacks) ->
          unusable(id, service, session, lacks);
    };
  }

  private Attempt notOpened(SessionFinding why, Duration pause) {
    status.notConnected(why);
    return new Attempt(null, pause);
  }

  /**
   * Deletes the session that stands in the status, ours or that of the former holder.
   *
   * @throws ServiceException when it may still be open
   */
  void deleteFormer(ScaleSetId id, ActionsService service) {
    var known = status.sessionId();
    if (known.isEmpty()) {
      return;
    }
    service.deleteSession(id, new SessionId(known));
    status.sessionId(null);
    if (foundOne) {
      foundOne = false;
      context.series().counted(ListenerMeter.SESSIONS, "taken_over");
    }
  }

  private OpenSessionResult open(ScaleSetId id, ActionsService service) {
    try {
      return service.openSession(id, context.settings().identity());
    } catch (ServiceException e) {
      if (mayHaveOpened(e.error())) {
        doubt();
      }
      throw e;
    }
  }

  private static boolean mayHaveOpened(ServiceError error) {
    return error instanceof ServiceError.Unavailable
        || error instanceof ServiceError.Malformed
        || error instanceof ServiceError.Cancelled;
  }

  /** A session is open that cannot be polled. It is deleted, since it would hold the scale set. */
  private Attempt unusable(ScaleSetId id, ActionsService service, SessionId session, String lacks) {
    context.series().counted(ListenerMeter.SESSIONS, "unusable");
    status.sessionId(session.value());
    try {
      deleteFormer(id, service);
    } catch (ServiceException e) {
      doubt(); // the status keeps its id, and it is deleted before the next opening
    }
    var finding =
        SessionFinding.of(
            ListenerReason.SESSION_UNUSABLE,
            "the service opened a session without %s; another is opened".formatted(lacks));
    return notOpened(finding, backoff.soon());
  }

  private void doubt() {
    mayBeOursUntil = context.inbox().now().plus(SESSION_LIFE);
  }

  private SessionFinding conflict(String words) {
    var matcher = OWNER.matcher(words.strip());
    var owner = matcher.find() ? matcher.group(1) : "";
    var until = mayBeOursUntil;
    var ours =
        owner.isEmpty()
            ? until != null && context.inbox().now().isBefore(until)
            : ourNames.contains(owner);
    if (ours) {
      return SessionFinding.of(
          ListenerReason.SESSION_CONFLICT,
          "the scale set has an open session that may be our own: the answer that named it was"
              + " lost, or it could not be deleted. The service forgets a session about 90 s after"
              + " its last poll");
    }
    return SessionFinding.of(
        ListenerReason.SESSION_CONFLICT,
        "another listener%s holds the session of the scale set: let no other controller use this"
                .formatted(owner.isEmpty() ? "" : " (" + owner + ")")
            + " scale set, or give this runner set a name of its own. If that listener is gone, the"
            + " service forgets its session about 90 s after its last poll");
  }
}
