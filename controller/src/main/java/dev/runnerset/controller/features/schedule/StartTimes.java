package dev.runnerset.controller.features.schedule;

import dev.runnerset.base.Pure;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * When a window starts. A local time that the clocks skip starts when they are put forward; a local
 * time that they repeat starts the first time only (SC2).
 */
@Pure
record StartTimes(CronCalendar calendar, ZoneId zone) {
  /** The last start at or before that instant; empty if there is none. */
  Optional<Instant> lastUpTo(Instant now) {
    return calendar.before(firstAhead(now)).map(this::instant);
  }

  /** The first start after that instant; empty if there is none. */
  Optional<Instant> nextAfter(Instant now) {
    return calendar.after(firstAhead(now).minusMinutes(1)).map(this::instant);
  }

  /**
   * The first full minute whose start is still ahead: later local times start later or at the same
   * instant, earlier ones have started.
   */
  private LocalDateTime firstAhead(Instant now) {
    var local = LocalDateTime.ofInstant(now, zone);
    var change = zone.getRules().getTransition(local);
    return change != null && change.isOverlap() && !now.isBefore(change.getInstant())
        ? change.getDateTimeBefore()
        : local.truncatedTo(ChronoUnit.MINUTES).plusMinutes(1);
  }

  private Instant instant(LocalDateTime local) {
    var change = zone.getRules().getTransition(local);
    return change != null && change.isGap()
        ? change.getInstant()
        : local.atZone(zone).withEarlierOffsetAtOverlap().toInstant();
  }
}
