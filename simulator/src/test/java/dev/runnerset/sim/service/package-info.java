/** Tests of the simulated Actions service. */
@NullMarked
package dev.runnerset.sim.service;

import org.jspecify.annotations.NullMarked;
