/** The simulated Actions service: scale sets, sessions, messages, jobs and runners over HTTP. */
@NullMarked
package dev.runnerset.sim.service;

import org.jspecify.annotations.NullMarked;
