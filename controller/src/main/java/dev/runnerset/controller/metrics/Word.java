package dev.runnerset.controller.metrics;

import dev.runnerset.base.Pure;
import java.util.Locale;

/** An enum whose constants are the values of a label. */
@Pure
public interface Word {
  /** The name of the constant. */
  String name();

  /** The value of the label. */
  default String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
