/** Reports the version of a set's runners, and until when github.com serves it (RN21). */
@NullMarked
package dev.runnerset.controller.features.runnerversion;

import org.jspecify.annotations.NullMarked;
