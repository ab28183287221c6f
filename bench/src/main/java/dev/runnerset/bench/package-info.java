/** The bench: what the two programs cost beside a client that only does the same writes. */
@NullMarked
package dev.runnerset.bench;

import org.jspecify.annotations.NullMarked;
