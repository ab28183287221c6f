package dev.runnerset.kube.log;

import ch.qos.logback.classic.spi.IThrowableProxy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An exception and its causes as lines, of which there are at most some 120. */
final class StackTrace {
  private static final int MOST_FRAMES = 5;
  private static final int MOST_CAUSES = 20;

  private StackTrace() {}

  /** Class and message of each, the first frames below it; empty without an exception. */
  static List<String> lines(@Nullable IThrowableProxy first) {
    var lines = new ArrayList<String>();
    var begin = "";
    var thrown = first;
    for (int i = 0; thrown != null && i < MOST_CAUSES; i++) {
      var message = thrown.getMessage() == null ? "" : ": " + LogText.clean(thrown.getMessage());
      lines.add(begin + LogText.clean(thrown.getClassName()) + message);
      var frames = thrown.getStackTraceElementProxyArray();
      for (int j = 0; frames != null && j < Math.min(frames.length, MOST_FRAMES); j++) {
        lines.add("\t" + LogText.clean(frames[j].toString()));
      }
      begin = "Caused by: ";
      thrown = thrown.getCause();
    }
    return lines;
  }
}
