package dev.runnerset.e2e.repository;

import static com.tngtech.archunit.base.DescribedPredicate.describe;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import dev.runnerset.base.Pure;
import java.util.Set;
import java.util.stream.Stream;

/** What {@link Pure} promises. */
final class Purity {
  /**
   * Packages, with those below them, whose types reach something outside the process or a thread.
   */
  private static final Set<String> ACTING_PACKAGES =
      Set.of(
          "ch.qos.logback",
          "dev.runnerset.actions.http",
          "dev.runnerset.base.metrics",
          "dev.runnerset.controller.events",
          "dev.runnerset.controller.metrics",
          "dev.runnerset.kube",
          "io.fabric8.kubernetes.client",
          "io.javaoperatorsdk",
          "java.net.http",
          "java.nio.channels",
          "java.nio.file",
          "java.util.concurrent",
          "java.util.random",
          "okhttp3",
          "org.slf4j",
          "picocli");

  private static final Set<String> ACTING_TYPES =
      Set.of(
          "java.lang.Process",
          "java.lang.ProcessBuilder",
          "java.lang.Thread",
          "java.net.ServerSocket",
          "java.net.Socket",
          "java.security.SecureRandom",
          "java.time.Clock",
          "java.time.InstantSource",
          "java.util.Random",
          "java.util.Timer");

  private static final Set<String> READERS =
      Set.of(
          "java.lang.Math.random",
          "java.lang.System.currentTimeMillis",
          "java.lang.System.getProperty",
          "java.lang.System.getenv",
          "java.lang.System.nanoTime",
          "java.time.Instant.now",
          "java.time.LocalDateTime.now",
          "java.time.OffsetDateTime.now",
          "java.time.ZonedDateTime.now",
          "java.util.UUID.randomUUID");

  /** It says so, or its package does. */
  static final DescribedPredicate<JavaClass> PURE =
      describe(
          "pure",
          type ->
              type.getPackage().isAnnotatedWith(Pure.class)
                  || enclosing(type).anyMatch(each -> each.isAnnotatedWith(Pure.class)));

  /** An exception is a value: whoever decides may read why something failed. */
  static final DescribedPredicate<JavaClass> ACT =
      describe(
          "act",
          type ->
              acts(type)
                  && !type.isAssignableTo(Throwable.class)
                  && !PURE.test(type.getBaseComponentType()));

  static final DescribedPredicate<JavaMethodCall> READS_THE_SURROUNDINGS =
      describe(
          "reads the clock, chance or the environment",
          call -> READERS.contains(call.getTargetOwner().getName() + "." + call.getName()));

  private Purity() {}

  private static boolean acts(JavaClass type) {
    var name = type.getBaseComponentType().getPackageName();
    return ACTING_TYPES.contains(type.getBaseComponentType().getName())
        || ACTING_PACKAGES.stream()
            .anyMatch(acting -> name.equals(acting) || name.startsWith(acting + "."))
        || name.equals("java.io");
  }

  private static Stream<JavaClass> enclosing(JavaClass type) {
    return Stream.iterate(
        type, each -> each != null, each -> each.getEnclosingClass().orElse(null));
  }
}
