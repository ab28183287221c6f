/**
 * The sweep for left-overs: registrations without a runner, runners without a registration, pods
 * and secrets without a runner (RN20). What is doubted, {@code audit} decides.
 */
@NullMarked
package dev.runnerset.controller.features.leftovers;

import org.jspecify.annotations.NullMarked;
