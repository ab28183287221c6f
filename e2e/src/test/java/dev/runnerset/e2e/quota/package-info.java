/** What a runner takes of quotas, and how many fit, judged by API servers. */
@NullMarked
package dev.runnerset.e2e.quota;

import org.jspecify.annotations.NullMarked;
