package dev.runnerset.controller.ownership;

import dev.runnerset.crds.EphemeralRunner;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import org.slf4j.spi.LoggingEventBuilder;

/** Lines of the log about one object. */
public final class LogLines {
  private LogLines() {}

  /** The line with the place of the object: its namespace, and its name as a runner, pod or set. */
  public static LoggingEventBuilder about(HasMetadata object, LoggingEventBuilder line) {
    var kind =
        switch (object) {
          case EphemeralRunner _ -> "runner";
          case Pod _ -> "pod";
          default -> "set";
        };
    return line.addKeyValue("namespace", object.getMetadata().getNamespace())
        .addKeyValue(kind, object.getMetadata().getName());
  }
}
