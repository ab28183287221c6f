/** Tests of the pages: their commands are run, and their YAML is given to a real API server. */
@NullMarked
package dev.runnerset.deployment.pages;

import org.jspecify.annotations.NullMarked;
