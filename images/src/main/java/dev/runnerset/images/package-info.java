/**
 * The images of both programs, made without a container engine: the base from Debian packages, the
 * Java run-time by jlink, the archive by jib; what reads such an archive again, and what runs a
 * program from it.
 */
@NullMarked
package dev.runnerset.images;

import org.jspecify.annotations.NullMarked;
