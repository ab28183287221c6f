package dev.runnerset.controller.main;

import dev.runnerset.crds.GoDuration;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as in the resources: {@code 15s}, {@code 1m30s}; never negative. */
final class DurationText implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String text) {
    return GoDuration.parse(text)
        .orElseThrow(() ->
            new TypeConversionException(
                text.startsWith("-")
                    ? "'" + text + "' must not be negative: write 15s or 2m"
                    : "'" + text + "' is no duration: write 15s or 2m"));
  }
}
