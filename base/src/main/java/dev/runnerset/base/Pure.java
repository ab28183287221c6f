package dev.runnerset.base;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The result follows from the arguments alone: no client, clock, chance, log, metric, input or
 * output, or thread. On a package, this holds for every class in it. ArchitectureTest of the module
 * {@code e2e} checks it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.PACKAGE, ElementType.TYPE})
public @interface Pure {}
