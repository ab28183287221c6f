package dev.runnerset.listener;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.util.Random;
import java.util.random.RandomGenerator;

/** The borders of docs/develop/architecture.md, for the listener. */
@AnalyzeClasses(packages = "dev.runnerset", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {
  private static final String HERE = "dev.runnerset.listener..";

  @ArchTest
  static final ArchRule theListenerDoesNotKnowTheController =
      noClasses()
          .that()
          .resideInAPackage(HERE)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.runnerset.controller..");

  @ArchTest
  static final ArchRule demandIsPure =
      classes()
          .that()
          .resideInAPackage("dev.runnerset.listener.demand")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "org.jspecify..",
              "dev.runnerset.actions",
              "dev.runnerset.base",
              "dev.runnerset.listener.demand");

  @ArchTest
  static final ArchRule demandHasNoClockAndNoChance =
      noClasses()
          .that()
          .resideInAPackage("dev.runnerset.listener.demand")
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(Clock.class, Random.class, RandomGenerator.class);

  @ArchTest
  static final ArchRule clientsOfKubernetesAreKnownToKubeAndMainAlone =
      noClasses()
          .that()
          .resideInAPackage(HERE)
          .and()
          .resideOutsideOfPackages("..kube", "..main")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.fabric8.kubernetes.client..", "dev.runnerset.kube..");

  @ArchTest
  static final ArchRule httpIsKnownToMainAlone =
      noClasses()
          .that()
          .resideInAPackage(HERE)
          .and()
          .resideOutsideOfPackage("..main")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.runnerset.actions.http..", "okhttp3..");

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("dev.runnerset.listener.(**)").should().beFreeOfCycles();
}
