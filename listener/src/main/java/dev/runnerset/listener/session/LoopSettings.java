package dev.runnerset.listener.session;

import java.time.Duration;

/**
 * Numbers of a loop.
 *
 * @param identity who holds the session, for people and for the status
 * @param pollTimeout how long a poll may stand; after twice this it is given up (SF6)
 * @param renewDeadline how old a renewal of the lease may be for a take-over; less than the time
 *     after which another may take it
 * @param credentialsAge after how long the secret is read again (SF7)
 */
public record LoopSettings(
    String identity, Duration pollTimeout, Duration renewDeadline, Duration credentialsAge) {}
