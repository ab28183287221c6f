package dev.runnerset.simulator.service;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A record of which the compiler makes a copy with another value of one component, by {@code
 * withNAME} (docs/adr/0060).
 */
@RecordBuilder.Template(
    options = @RecordBuilder.Options(addStaticBuilder = false, enableGetters = false))
@Retention(RetentionPolicy.SOURCE)
@Target(ElementType.TYPE)
@interface WithWithers {}
