package dev.runnerset.controller.connection;

import dev.runnerset.actions.ServiceError;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * That a runner may not ask for its JIT config now.
 *
 * @param until when it may ask for its turn again
 * @param why what the service refused; null if the runner only waits for answers to others
 */
public record JitWait(Instant until, @Nullable ServiceError why) {}
