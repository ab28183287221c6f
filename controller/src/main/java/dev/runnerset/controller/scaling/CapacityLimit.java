package dev.runnerset.controller.scaling;

/**
 * What one term leaves of the capacity.
 *
 * @param places how many runners the set may have at a time: the ones that it has and that the term
 *     counts already, and the room that is left. It stays while the own runners come and go
 * @param by the reason, for the status and the series
 * @param of which object limits, such as a quota and its resource; empty if the reason says it all
 * @param sentence why there is so much room and no more, without a full stop
 */
public record CapacityLimit(int places, LimitedBy by, String of, String sentence) {}
