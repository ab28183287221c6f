package dev.runnerset.e2e.repository;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Nobody counts commas: a constructor with more than seven parameters is called in its own file
 * only, by what names the values. Calls from tests do not count, but for those of the suites, nor
 * do records: what a record has is no question of its constructor, and a long one has a builder
 * (docs/adr/0060).
 */
@AnalyzeClasses(packages = "dev.runnerset", importOptions = ArchitectureTest.MainAndEndToEnd.class)
final class LongArgumentListsTest {
  private static final int MOST = 7;

  @ArchTest
  static void noLongConstructorIsCalledFromAnotherFile(JavaClasses classes) {
    assertThat(longCalls(classes).map(JavaConstructorCall::getDescription)).isEmpty();
  }

  @Test
  void aLongConstructorIsFound() {
    var classes = new ClassFileImporter().importClasses(LongArgumentListsTest.class, Eight.class);

    assertThat(classes.get(LongArgumentListsTest.class).getConstructorCallsFromSelf())
        .anyMatch(call -> isLong(call) && call.getTargetOwner().isEquivalentTo(Eight.class));
  }

  static Eight eight() {
    return new Eight(1, 2, 3, 4, 5, 6, 7, 8);
  }

  static final class Eight {
    Eight(int a, int b, int c, int d, int e, int f, int g, int h) {
      assertThat(a + b + c + d + e + f + g + h).isEqualTo(36);
    }
  }

  private static Stream<JavaConstructorCall> longCalls(JavaClasses classes) {
    return classes.stream()
        .filter(type -> !type.getPackageName().equals("dev.runnerset.e2e.world"))
        .flatMap(type -> type.getConstructorCallsFromSelf().stream())
        .filter(LongArgumentListsTest::isLong)
        .filter(call -> !file(call.getOriginOwner()).equals(file(call.getTargetOwner())));
  }

  private static boolean isLong(JavaConstructorCall call) {
    return call.getTargetOwner().getPackageName().startsWith("dev.runnerset")
        && !call.getTargetOwner().isRecord()
        && call.getTarget().getRawParameterTypes().size() > MOST;
  }

  private static String file(JavaClass type) {
    return type.getName().replaceFirst("\\$.*", "");
  }
}
