package dev.runnerset.demo.programs;

import dev.runnerset.controller.autoscalingrunnerset.Clocks;
import dev.runnerset.controller.main.ControllerMain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;

/**
 * The days of schedules, which a rehearsal sets: time passes as ever, and jumps when the rehearsal
 * says so. A file has how far ahead of the real time it is, since the controller is another
 * process.
 */
public final class VirtualDays extends Clock {
  private final Path file;
  private final Clock real;

  /** The days that the file tells; the real ones while there is none. */
  public VirtualDays(Path file, Clock real) {
    this.file = file;
    this.real = real;
  }

  /** The controller, whose schedules follow the file of the first argument. */
  public static void main(String[] args) {
    var real = Clock.systemUTC();
    var days = new VirtualDays(Path.of(args[0]), real);
    System.exit(
        ControllerMain.run(
            Clocks.of(real, days, System::nanoTime), Arrays.copyOfRange(args, 1, args.length)));
  }

  /** It is that time now. */
  public void jumpTo(Instant time) {
    try {
      var next = file.resolveSibling(file.getFileName() + ".next");
      Files.writeString(next, Duration.between(real.instant(), time).toString());
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Instant instant() {
    try {
      var ahead = Files.exists(file) ? Duration.parse(Files.readString(file)) : Duration.ZERO;
      return real.instant().plus(ahead);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public ZoneId getZone() {
    return real.getZone();
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return new VirtualDays(file, real.withZone(zone));
  }
}
