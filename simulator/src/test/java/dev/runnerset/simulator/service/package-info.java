/** Tests of the simulated Actions service. */
@NullMarked
package dev.runnerset.simulator.service;

import org.jspecify.annotations.NullMarked;
