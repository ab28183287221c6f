/** The random world: the real programs in virtual time, with everything around them played. */
package dev.runnerset.e2e.world;
