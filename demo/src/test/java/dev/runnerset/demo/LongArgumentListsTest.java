package dev.runnerset.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Nobody counts commas: a constructor with more than seven parameters is called in its own file
 * only, by what names the values. Calls from tests do not count.
 */
final class LongArgumentListsTest {
  private static final int MOST = 7;

  private static final String PARSED = "called once, by its parser";

  /** Constructors that are called from another file all the same, and why. */
  private static final Map<String, String> EXCEPTIONS =
      Map.ofEntries(
          Map.entry("DemoOptions", PARSED),
          Map.entry("FaultPlan", PARSED),
          Map.entry("HttpFault", PARSED),
          Map.entry("JobDescription", PARSED),
          Map.entry("JobRequest", PARSED),
          Map.entry("Options", PARSED),
          Map.entry("ScaleSetView", PARSED));

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new DoNotIncludeTests())
          .importPackages("dev.runnerset");

  @Test
  void noLongConstructorIsCalledFromAnotherFile() {
    var found = new TreeSet<String>();
    longCalls(CLASSES)
        .filter(call -> !EXCEPTIONS.containsKey(name(call)))
        .forEach(call -> found.add(call.getDescription()));
    assertThat(found).isEmpty();
  }

  @Test
  void noExceptionOutlivesItsReason() {
    assertThat(longCalls(CLASSES).map(LongArgumentListsTest::name))
        .containsAll(EXCEPTIONS.keySet());
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

  record Eight(int a, int b, int c, int d, int e, int f, int g, int h) {}

  private static Stream<JavaConstructorCall> longCalls(JavaClasses classes) {
    return classes.stream()
        .flatMap(type -> type.getConstructorCallsFromSelf().stream())
        .filter(LongArgumentListsTest::isLong)
        .filter(call -> !file(call.getOriginOwner()).equals(file(call.getTargetOwner())));
  }

  private static boolean isLong(JavaConstructorCall call) {
    return call.getTargetOwner().getPackageName().startsWith("dev.runnerset")
        && call.getTarget().getRawParameterTypes().size() > MOST;
  }

  private static String file(JavaClass type) {
    return type.getName().replaceFirst("\\$.*", "");
  }

  private static String name(JavaConstructorCall call) {
    return call.getTargetOwner().getSimpleName();
  }
}
