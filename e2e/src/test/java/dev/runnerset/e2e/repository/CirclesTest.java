package dev.runnerset.e2e.repository;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Classes of one package that know each other in a circle can only be read together. A nested class
 * counts as its outer class: a circle is mostly a record that is nested in the class that it is
 * handed to.
 */
@AnalyzeClasses(packages = "dev.runnerset", importOptions = DoNotIncludeTests.class)
final class CirclesTest {
  private static final String ROOT = "^dev\\.runnerset\\.";

  /** The most classes in a circle of a package; 1, that is none, for the others. */
  private static final Map<String, Integer> MOST =
      Map.ofEntries(
          entry("actions.http", 3),
          entry("controller.audit", 3),
          entry("controller.autoscalingrunnerset.children", 2),
          entry("controller.autoscalingrunnerset.events", 3),
          entry("controller.autoscalingrunnerset.registration", 2),
          entry("controller.ephemeralrunner.lifecycle", 2),
          entry("controller.ephemeralrunnerset", 3),
          entry("controller.rounds", 2),
          entry("demo.world", 3),
          entry("listener.demand", 2),
          entry("listener.main", 2),
          entry("migrate", 2),
          entry("simulator.kube.write", 2),
          entry("simulator.node", 2),
          entry("simulator.service", 4),
          entry("testcluster", 3),
          entry("testsupport", 2),
          entry("testsupport.apiserver", 2));

  @ArchTest
  static void eachPackageHasCirclesOfThatSize(JavaClasses classes) {
    var known = known(classes);
    var largest = new TreeMap<String, Integer>();
    var circles = new TreeMap<String, Set<String>>();
    for (var from : known.keySet()) {
      var circle = circle(from, known);
      if (circle.size() > 1) {
        largest.merge(packageOf(circle), circle.size(), Math::max);
        circles.put(packageOf(circle), circle);
      }
    }
    assertThat(largest).as("a number of the table may only fall, %s", circles).isEqualTo(MOST);
  }

  @Test
  void aCircleHasAllThatKnowEachOther() {
    var known = Map.of("p.A", Set.of("p.B"), "p.B", Set.of("p.C", "p.D"), "p.C", Set.of("p.A"));
    assertThat(circle("p.A", known)).containsExactly("p.A", "p.B", "p.C");
    assertThat(circle("p.D", known)).containsExactly("p.D");
  }

  private static Map<String, Set<String>> known(JavaClasses classes) {
    var known = new TreeMap<String, Set<String>>();
    for (var from : classes) {
      if (outer(from).endsWith("Builder")) {
        continue; // generated
      }
      var of = known.computeIfAbsent(outer(from), name -> new TreeSet<>());
      from.getDirectDependenciesFromSelf().stream()
          .map(Dependency::getTargetClass)
          .filter(to -> to.getPackageName().equals(from.getPackageName()))
          .forEach(to -> of.add(outer(to)));
    }
    return known;
  }

  private static String outer(JavaClass any) {
    return any.getName().replaceFirst("[\\[$].*", "");
  }

  private static String packageOf(Set<String> circle) {
    return circle.iterator().next().replaceFirst("\\.[^.]*$", "").replaceFirst(ROOT, "");
  }

  /** All that the class knows, and that know the class; itself among them. */
  private static Set<String> circle(String of, Map<String, Set<String>> known) {
    var circle = new TreeSet<String>();
    for (var to : reached(of, known)) {
      if (reached(to, known).contains(of)) {
        circle.add(to);
      }
    }
    return circle;
  }

  private static Set<String> reached(String from, Map<String, Set<String>> known) {
    var reached = new TreeSet<String>(Set.of(from));
    var open = new ArrayDeque<String>(reached);
    while (!open.isEmpty()) {
      for (var to : known.getOrDefault(open.remove(), Set.of())) {
        if (reached.add(to)) {
          open.add(to);
        }
      }
    }
    return reached;
  }
}
