package dev.runnerset.listener.session;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The lease that makes this process the one to hold the sessions. */
public interface HolderLease {
  /** When its last successful renewal by us began; null before the first or once it is lost. */
  @Nullable Instant renewedAt();
}
