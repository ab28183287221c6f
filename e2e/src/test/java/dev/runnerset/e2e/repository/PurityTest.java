package dev.runnerset.e2e.repository;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.runnerset.base.Pure;
import java.io.File;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;

/** The rule of ArchitectureTest finds what it is for. */
final class PurityTest {
  @ParameterizedTest
  @ValueSource(
      classes = {
        ReadsTheClock.class,
        IsGivenAClock.class,
        Rolls.class,
        Logs.class,
        Locks.class,
        NamesAFile.class,
        Outer.Inner.class
      })
  void whatActsIsFound(Class<?> type) {
    assertThat(violates(type)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(classes = {Reckons.class, ActsAndDoesNotClaimOtherwise.class})
  void whatReckonsIsNot(Class<?> type) {
    assertThat(violates(type)).isFalse();
  }

  @Test
  void aMarkedPackageHoldsForEachOfItsClasses() {
    var marked =
        new ClassFileImporter()
            .importPackages("dev.runnerset.controller.scaling").stream()
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .filter(type -> !type.getSimpleName().endsWith("Test"))
                .toList();

    assertThat(marked).isNotEmpty().allMatch(Purity.PURE);
  }

  private static boolean violates(Class<?> type) {
    var classes = new ClassFileImporter().importClasses(type);
    return ArchitectureTest.whatIsPureDoesNotAct
        .allowEmptyShould(true)
        .evaluate(classes)
        .hasViolation();
  }

  @Pure
  static final class ReadsTheClock {
    static Instant now() {
      return Instant.now();
    }
  }

  @Pure
  private record IsGivenAClock(Clock clock) {}

  @Pure
  static final class Rolls {
    static String name() {
      return UUID.randomUUID().toString();
    }
  }

  @Pure
  private record Logs(Logger log) {}

  @Pure
  private record Locks(ReentrantLock lock) {}

  @Pure
  private record NamesAFile(File file) {}

  @Pure
  private static final class Outer {
    private record Inner(Clock clock) {}
  }

  @Pure
  record Reckons(Instant from, Duration pause) {
    Instant end() {
      return from.plus(pause);
    }
  }

  private record ActsAndDoesNotClaimOtherwise(Clock clock) {}
}
