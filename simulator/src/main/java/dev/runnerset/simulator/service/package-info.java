/** The simulated Actions service: scale sets, sessions, messages, jobs and runners over HTTP. */
@NullMarked
package dev.runnerset.simulator.service;

import org.jspecify.annotations.NullMarked;
