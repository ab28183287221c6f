package dev.runnerset.base;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A time that no rule names and that nobody outside needs to know, so {@code
 * docs/reference/times.md} leaves it out. Its javadoc says what it bounds. TimesPageTest of the
 * module {@code e2e} checks that each time is there, or is a detail.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Detail {}
