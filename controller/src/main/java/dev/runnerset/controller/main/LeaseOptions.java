package dev.runnerset.controller.main;

import dev.runnerset.controller.config.LeaseTimes;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Who leads, and for how long. */
final class LeaseOptions {
  @Option(
      names = "--identity",
      paramLabel = "NAME",
      description = "of this process among its replicas (default: HOSTNAME and a random part)")
  private @Nullable String identity;

  @Option(
      names = "--lease-duration",
      paramLabel = "TIME",
      defaultValue = "15s",
      converter = DurationText.class,
      description = "a controller that is gone is followed after this (default: ${DEFAULT-VALUE})")
  private Duration leaseDuration = LeaseTimes.DEFAULT.lasts();

  @Option(
      names = "--renew-deadline",
      paramLabel = "TIME",
      defaultValue = "8s",
      converter = DurationText.class,
      description = "one that cannot renew its lease so long stops (default: ${DEFAULT-VALUE})")
  private Duration renewDeadline = LeaseTimes.DEFAULT.renewWithin();

  @Option(
      names = "--retry-period",
      paramLabel = "TIME",
      defaultValue = "2s",
      converter = DurationText.class,
      description = "between two tries for the lease (default: ${DEFAULT-VALUE})")
  private Duration retryPeriod = LeaseTimes.DEFAULT.retryEvery();

  LeaseTimes times() {
    return new LeaseTimes(leaseDuration, renewDeadline, retryPeriod);
  }

  String identity() {
    return identity == null ? ownName() : identity;
  }

  private static String ownName() {
    var random = new byte[4];
    new SecureRandom().nextBytes(random);
    var host = System.getenv("HOSTNAME");
    return (host == null || host.isBlank() ? "controller" : host)
        + "-"
        + HexFormat.of().formatHex(random);
  }
}
