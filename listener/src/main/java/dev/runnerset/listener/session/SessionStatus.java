package dev.runnerset.listener.session;

import dev.runnerset.base.BriefThread;
import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.ProtocolLevel;
import dev.runnerset.crds.ServiceConnection;
import dev.runnerset.crds.Timestamps;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.ListenerReason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import dev.runnerset.listener.session.context.Inbox;
import dev.runnerset.listener.session.context.KubeRefusal;
import dev.runnerset.listener.session.context.ListenerSnapshot;
import dev.runnerset.listener.session.context.LoopContext;
import dev.runnerset.listener.session.context.LoopExit;
import dev.runnerset.listener.session.context.SetSeries;
import dev.runnerset.listener.session.context.SetWriter;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The status of one listener object, written on change only. The first write after a take-over
 * demands the object as it was read. Each later write tests the epoch, so that a process that lost
 * the fence can write nothing (SF3). Used by the loop's thread.
 */
final class SessionStatus {
  private static final Logger LOG = LoggerFactory.getLogger(SessionStatus.class);

  private final SetWriter writer;
  private final Inbox inbox;
  private final String identity;
  private final SetSeries series;
  private final Map<ConditionType, String> keyByCondition = new EnumMap<>(ConditionType.class);

  private ListenerSnapshot listener;
  private AutoScalingListenerStatus written = AutoScalingListenerStatus.NONE;
  private AutoScalingListenerStatus wanted = AutoScalingListenerStatus.NONE;
  private long epoch;
  private @Nullable String resourceVersionToClaim;
  private String formerHolder = "";
  private boolean doubted;
  private int heldInVain;

  SessionStatus(LoopContext context, ListenerSnapshot listener) {
    this.writer = context.cluster().writer();
    this.inbox = context.inbox();
    this.identity = context.settings().identity();
    this.series = context.series();
    this.listener = listener;
  }

  /** The listener object as it is now. */
  void seen(ListenerSnapshot latest) {
    listener = latest;
  }

  /** After a take-over: adopts the status that stands there. Writes nothing yet. */
  void claim(long newEpoch) {
    epoch = newEpoch;
    adopt();
  }

  private void adopt() {
    var read = read();
    var there = read.status();
    if (there.epoch() != null && there.epoch() > epoch) {
      throw new LoopExit(LoopExit.Why.FENCED);
    }
    var conditions =
        resourceVersionToClaim == null && wanted.conditions().isEmpty()
            ? there.conditions()
            : wanted.conditions();
    written = there;
    if (there.holder() != null && !there.holder().equals(identity)) {
      formerHolder = there.holder(); // stays known when this process wrote before it had the fence
    }
    wanted = ours(there.sessionId(), there.connection(), conditions);
    resourceVersionToClaim = read.resourceVersion();
  }

  private SetWriter.ListenerRead read() {
    var read = writer.readListener(listener);
    inbox.progress();
    if (read == null) {
      throw new LoopExit(LoopExit.Why.GONE);
    }
    return read;
  }

  /** Reads the epoch in the status of the listener object; 0 when there is none. */
  long readEpoch() {
    var there = read().status().epoch();
    return there == null ? 0 : there;
  }

  /** Who held the set before, or empty. */
  String formerHolder() {
    return formerHolder;
  }

  /** The session that stands in the status, ours or a former holder's; or empty. */
  String sessionId() {
    return wanted.sessionId() == null ? "" : wanted.sessionId();
  }

  /** The session that may be open at the service, or null. Written with the next flush. */
  void sessionId(@Nullable String id) {
    wanted = ours(id, wanted.connection(), wanted.conditions());
  }

  /**
   * The session is open. Written with the next flush. After a poll that failed, a session alone
   * shows nothing: what was reported stays until a poll succeeds.
   */
  void opened(String sessionId, ServiceConnection with) {
    // the hash is made of JSON, whose buffers would stay with this thread
    wanted = ours(sessionId, BriefThread.call(with::hash), wanted.conditions());
    if (!doubted || !isNotConnected()) {
      connected();
    }
  }

  private void connected() {
    set(
        ConditionType.CONNECTED,
        true,
        SessionFinding.of(ListenerReason.SESSION_OPEN, "the message session is open"));
  }

  /** The service answered a poll: writes at once if the status says anything else. */
  void answered() {
    heldInVain = 0;
    pollStands();
  }

  /** The service holds a poll for so long that it will answer. Written like {@link #answered}. */
  void pollStands() {
    doubted = false;
    if (isFalse(ConditionType.CONNECTED) || isDirty()) {
      connected();
      tryFlush();
    }
  }

  /** Something keeps the set from being listened for: logged, and written at once if it is new. */
  void notConnected(SessionFinding finding) {
    LOG.atWarn()
        .addKeyValue("listener", listener.name())
        .addKeyValue("reason", finding.reason().word())
        .addKeyValue("why", finding.message())
        .log("not connected");
    set(ConditionType.CONNECTED, false, finding);
    tryFlush();
  }

  /** Like {@link #notConnected}, and no session counts as connected until a poll succeeds. */
  void pollFailed(SessionFinding finding) {
    doubted = true;
    notConnected(finding);
  }

  /** A poll was held for long, and yet the service did not answer it. */
  void pollHeldInVain() {
    heldInVain++;
  }

  /** Forgets what earlier polls showed: they used another connection. */
  void otherConnection() {
    doubted = false;
    heldInVain = 0;
  }

  /**
   * Whether a poll that is held would show that the service answers again. Where one poll after the
   * other is held in vain, as behind a proxy that drops what is idle, only an answer shows it.
   */
  boolean isProvenByHeldPoll() {
    return isNotConnected() && heldInVain < 2;
  }

  /** Whether the status says that the set is not listened for. */
  boolean isNotConnected() {
    return isFalse(ConditionType.CONNECTED);
  }

  /** The session was ended on purpose. Written with the next flush. */
  void ended(SessionFinding finding) {
    set(ConditionType.CONNECTED, false, finding);
  }

  /** Messages can be applied. Written at once if the status says anything else. */
  void applied() {
    set(ConditionType.MESSAGES_APPLIED, true, SessionFinding.of(ListenerReason.APPLIED, ""));
    tryFlush();
  }

  /** A message could not be applied, or not wholly. Written at once if that is new. */
  void notApplied(SessionFinding finding) {
    set(ConditionType.MESSAGES_APPLIED, false, finding);
    tryFlush();
  }

  /** Whether the status says that messages cannot be applied. */
  boolean isNotApplied() {
    return isFalse(ConditionType.MESSAGES_APPLIED);
  }

  /** Marks were dropped, with what to tell of the last one. Written at once if that is new. */
  void marksDropped(SessionFinding finding) {
    set(ConditionType.MARKS_DROPPED, true, finding);
    tryFlush();
  }

  /** Since when the status tells of dropped marks, also those of a former process; or null. */
  @Nullable Instant marksDroppedSince() {
    var dropped =
        StatusConditions.find(wanted.conditions(), ConditionType.MARKS_DROPPED).orElse(null);
    return dropped == null ? null : Timestamps.parse(dropped.getLastTransitionTime());
  }

  /** No mark was dropped lately. Written at once if the status says anything else. */
  void noMarksDropped() {
    if (has(ConditionType.MARKS_DROPPED)) {
      keyByCondition.remove(ConditionType.MARKS_DROPPED);
      conditions(StatusConditions.without(wanted.conditions(), ConditionType.MARKS_DROPPED));
      tryFlush();
    }
  }

  private void conditions(List<Condition> next) {
    wanted = ours(wanted.sessionId(), wanted.connection(), next);
  }

  private AutoScalingListenerStatus ours(
      @Nullable String sessionId, @Nullable String connection, List<Condition> conditions) {
    return new AutoScalingListenerStatus(
        identity, epoch, sessionId, connection, conditions, ProtocolLevel.OURS);
  }

  private boolean isFalse(ConditionType type) {
    return StatusConditions.isFalse(wanted.conditions(), type);
  }

  private void set(ConditionType type, boolean status, SessionFinding f) {
    var key = status + f.key();
    if (key.equals(keyByCondition.put(type, key)) && has(type)) {
      return;
    }
    List<Condition> next =
        StatusConditions.with(
            wanted.conditions(),
            StatusConditions.build(
                wanted.conditions(),
                type,
                Value.of(status),
                f.reason(),
                f.message(),
                listener.generation(),
                inbox.now()));
    conditions(next);
  }

  private boolean has(ConditionType type) {
    return StatusConditions.find(wanted.conditions(), type).isPresent();
  }

  private boolean isDirty() {
    return !wanted.equals(written);
  }

  /** Like {@link #flush}; what is refused for now is written with the next change. */
  private void tryFlush() {
    try {
      flush();
    } catch (KubeRefusal e) {
      // stays wanted
    }
  }

  /**
   * Writes what is wanted, if it is not written: one request, or three when the object changed
   * since it was read.
   *
   * @throws KubeRefusal when it could not be written for now
   * @throws LoopExit when the fence is another holder's, or the object is gone
   */
  void flush() {
    if (!isDirty()) {
      return;
    }
    try {
      write();
    } catch (KubeRefusal e) {
      series.refused(e.kind());
      switch (e.kind()) {
        case GONE -> throw new LoopExit(LoopExit.Why.GONE);
        case STALE -> {
          adoptKeeping();
          write();
        }
        case TEST_FAILED -> {
          if (readEpoch() != epoch) {
            throw new LoopExit(LoopExit.Why.FENCED);
          }
          throw e;
        }
        case FORBIDDEN, UNAVAILABLE -> throw e;
      }
    }
    written = wanted;
    resourceVersionToClaim = null;
  }

  private void adoptKeeping() {
    var keep = wanted;
    adopt();
    wanted = keep;
  }

  private void write() {
    try {
      if (resourceVersionToClaim != null) {
        writer.claimListener(listener, resourceVersionToClaim, wanted);
      } else {
        writer.updateListener(listener, epoch, wanted);
      }
    } finally {
      inbox.progress();
    }
  }
}
