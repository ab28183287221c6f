package dev.runnerset.crds;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A record of which the compiler makes a builder, named after it: it sets the fields by name, and
 * those that it does not set are absent (docs/adr/0060).
 */
@RecordBuilder.Template(
    options =
        @RecordBuilder.Options(
            addStaticBuilder = false,
            enableGetters = false,
            enableWither = false))
@Retention(RetentionPolicy.SOURCE)
@Target(ElementType.TYPE)
@interface WithBuilder {}
