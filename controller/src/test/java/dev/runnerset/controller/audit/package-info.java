/** Tests of the audit of registrations. */
@NullMarked
package dev.runnerset.controller.audit;

import org.jspecify.annotations.NullMarked;
