/**
 * The images of both programs, made without a container engine: the base from Debian packages, the
 * Java run-time by jlink, the archive by jib; and what reads such an archive again.
 */
@NullMarked
package dev.runnerset.deployment.images;

import org.jspecify.annotations.NullMarked;
