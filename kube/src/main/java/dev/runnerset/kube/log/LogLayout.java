package dev.runnerset.kube.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.LayoutBase;

/** The layout that {@code RUNNERSET_LOG_FORMAT} names: {@code text}, or {@code json}. */
public final class LogLayout extends LayoutBase<ILoggingEvent> {
  private Layout<ILoggingEvent> form = new LineLayout();

  /** Called by Logback; another word is reported on standard output, and {@code text} is used. */
  public void setFormat(String format) {
    switch (format) {
      case "json" -> form = new JsonLayout();
      case "text" -> {}
      default -> addWarn("RUNNERSET_LOG_FORMAT is " + LogText.clean(format) + ": use text or json");
    }
  }

  @Override
  public String doLayout(ILoggingEvent event) {
    return form.doLayout(event);
  }
}
