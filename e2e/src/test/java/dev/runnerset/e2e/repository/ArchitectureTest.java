package dev.runnerset.e2e.repository;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.conditions.ArchConditions.callMethodWhere;
import static com.tngtech.archunit.lang.conditions.ArchConditions.dependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.Slice;
import dev.runnerset.crds.EphemeralRunnerSetStatus;
import java.util.Set;

/** The borders of docs/develop/architecture.md, over all modules. */
@AnalyzeClasses(packages = "dev.runnerset", importOptions = ArchitectureTest.MainAndEndToEnd.class)
final class ArchitectureTest {
  /** Main code, and all tests of this module but those of this package, which have bad examples. */
  static final class MainAndEndToEnd implements ImportOption {
    private final ImportOption main = new DoNotIncludeTests();

    @Override
    public boolean includes(Location location) {
      return location.contains("/dev/runnerset/e2e/")
          ? !location.contains("/dev/runnerset/e2e/repository/")
          : main.includes(location);
    }
  }

  /** No class of that package depends on one of these. */
  private static ArchRule noneKnows(String ofPackage, String... others) {
    return noClasses()
        .that()
        .resideInAPackage(ofPackage)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(others);
  }

  /** The packages that match do not depend on each other in a circle. */
  private static ArchRule noCyclesIn(String packages) {
    return slices().matching(packages).should().beFreeOfCycles();
  }

  /** Names of classes that decide. */
  private static final String DECIDERS = ".*(Planner|Plan|Order|Lifecycle|Policy|Pruner|Verdict)";

  private static final Set<String> WIPING =
      Set.of(
          "edit",
          "editStatus",
          "patch",
          "patchStatus",
          "update",
          "updateStatus",
          "replace",
          "replaceStatus",
          "serverSideApply",
          "createOrReplace");

  @ArchTest
  static final ArchRule theProtocolClientKnowsNoKubernetes =
      noneKnows(
          "dev.runnerset.actions..",
          "io.fabric8..",
          "io.javaoperatorsdk..",
          "dev.runnerset.crds..",
          "dev.runnerset.kube..");

  @ArchTest
  static final ArchRule theControllerDoesNotKnowTheListener =
      noneKnows(
          "dev.runnerset.controller..", "dev.runnerset.listener..", "dev.runnerset.simulator..");

  @ArchTest
  static final ArchRule theListenerDoesNotKnowTheController =
      noneKnows(
          "dev.runnerset.listener..", "dev.runnerset.controller..", "dev.runnerset.simulator..");

  @ArchTest
  static final ArchRule requestsToKubernetesKnowNoService =
      noneKnows(
          "dev.runnerset.kube..",
          "dev.runnerset.actions..",
          "dev.runnerset.connection..",
          "dev.runnerset.crds..");

  @ArchTest
  static final ArchRule readingAConnectionKnowsNoProgram =
      noneKnows(
          "dev.runnerset.connection..",
          "dev.runnerset.controller..",
          "dev.runnerset.listener..",
          "dev.runnerset.simulator..");

  @ArchTest
  static final ArchRule theSimulatorSharesNoTypesWithWhatItTests =
      noneKnows(
          "dev.runnerset.simulator..",
          "dev.runnerset.actions..",
          "dev.runnerset.crds..",
          "dev.runnerset.kube..",
          "dev.runnerset.connection..",
          "dev.runnerset.controller..",
          "dev.runnerset.listener..");

  @ArchTest
  static final ArchRule onlyTestsKnowWhatTestsShare =
      noClasses()
          .that()
          .resideOutsideOfPackages("dev.runnerset.testsupport..", "dev.runnerset.e2e..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.runnerset.testsupport..");

  @ArchTest
  static final ArchRule theResourcesKnowNobody =
      noneKnows(
          "dev.runnerset.crds..",
          "dev.runnerset.actions..",
          "dev.runnerset.kube..",
          "dev.runnerset.controller..",
          "dev.runnerset.listener..",
          "dev.runnerset.simulator..");

  @ArchTest
  static final ArchRule whatIsPureDoesNotAct =
      noClasses()
          .that(Purity.PURE)
          .should(
              dependOnClassesThat(Purity.ACT).or(callMethodWhere(Purity.READS_THE_SURROUNDINGS)));

  @ArchTest
  static final ArchRule whatDecidesIsPure =
      classes()
          .that()
          .resideInAnyPackage("dev.runnerset.controller..", "dev.runnerset.listener..")
          .and()
          .haveNameMatching(DECIDERS)
          .should(be(Purity.PURE));

  @ArchTest
  static final ArchRule thePackageOfNumbersIsPure =
      classes()
          .that()
          .resideInAPackage("dev.runnerset.controller.scaling")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "org.jspecify..",
              "dev.runnerset.base",
              "dev.runnerset.crds..",
              "dev.runnerset.controller.scaling");

  @ArchTest
  static final ArchRule whatTheListenerDecidesIsPlainJava =
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
              "dev.runnerset.crds..",
              "dev.runnerset.listener.demand");

  @ArchTest
  static final ArchRule onlyTwoPackagesOfTheListenerKnowKubernetes =
      noClasses()
          .that()
          .resideInAPackage("dev.runnerset.listener..")
          .and()
          .resideOutsideOfPackages("..kube", "..main")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.fabric8.kubernetes.client..", "dev.runnerset.kube..");

  @ArchTest
  static final ArchRule onlyMainOfTheListenerKnowsHttp =
      noClasses()
          .that()
          .resideInAPackage("dev.runnerset.listener..")
          .and()
          .resideOutsideOfPackage("..main")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.runnerset.actions.http..", "okhttp3..");

  /** Else a paused thread or a wall clock hides in a decision, and no test can reach it. */
  @ArchTest
  static final ArchRule nobodySleepsOrReadsTheWallClock =
      noClasses()
          .that()
          .resideInAnyPackage("dev.runnerset.controller..", "dev.runnerset.listener..")
          .should()
          .callMethod(Thread.class, "sleep", long.class)
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(java.time.Instant.class, "now");

  /** A clock that is made where it is used hides as well: only the programs' entries have one. */
  @ArchTest
  static final ArchRule onlyTheProgramsNameTheirClocks =
      noClasses()
          .that()
          .resideInAnyPackage("dev.runnerset.controller..", "dev.runnerset.listener..")
          .and()
          .resideOutsideOfPackage("..main..")
          .should(
              be(
                  describe(
                      "naming System::nanoTime",
                      type ->
                          type.getMethodReferencesFromSelf().stream()
                              .anyMatch(reference -> reference.getName().equals("nanoTime")))));

  /** RF6: the embedded form is for readers outside; ours read the runners. */
  @ArchTest
  static final ArchRule noDecisionReadsTheEmbeddedStatuses =
      noClasses()
          .that()
          .resideInAnyPackage("dev.runnerset.controller..", "dev.runnerset.listener..")
          .and()
          .doNotHaveFullyQualifiedName("dev.runnerset.controller.features.references.ChildLists")
          .should()
          .callMethod(EphemeralRunnerSetStatus.class, "runnerStatuses");

  @ArchTest
  static final ArchRule namesSayWhatThingsAre =
      noClasses()
          .should()
          .haveNameMatching(
              ".*(Manager|Helper|Utils?|Impl|Processor|Handler|Wrapper)$|.*\\.(Base|Abstract)[A-Z]\\w*");

  /** They diff against a cached copy, and so wipe another writer's fields (WR2). */
  @ArchTest
  static final ArchRule nobodyWritesThroughTheFormsThatWipeForeignFields =
      noClasses()
          .that()
          .resideInAnyPackage("dev.runnerset.controller..", "dev.runnerset.listener..")
          .should()
          .callMethodWhere(
              new DescribedPredicate<JavaMethodCall>("edits, patches, updates or replaces") {
                @Override
                public boolean test(JavaMethodCall call) {
                  return call.getTargetOwner()
                          .getPackageName()
                          .startsWith("io.fabric8.kubernetes.client.dsl")
                      && WIPING.contains(call.getName());
                }
              });

  /** Elsewhere a word that no enum has could become the reason of a condition. */
  @ArchTest
  static final ArchRule onlyOneClassBuildsConditionsAndItTakesReasonsThatAreTypes =
      noClasses()
          .that()
          .resideInAnyPackage("dev.runnerset.controller..", "dev.runnerset.listener..")
          .should()
          .callMethodWhere(
              new DescribedPredicate<JavaMethodCall>("set the reason of a condition") {
                @Override
                public boolean test(JavaMethodCall call) {
                  return call.getTargetOwner().getSimpleName().startsWith("Condition")
                      && (call.getName().equals("withReason")
                          || call.getName().equals("setReason"));
                }
              });

  /** A feature hangs on hooks; only {@code main} knows which features there are. */
  @ArchTest
  static final ArchRule theCoreOfTheControllerKnowsNoFeature =
      noClasses()
          .that()
          .resideInAPackage("dev.runnerset.controller..")
          .and()
          .resideOutsideOfPackages(
              "dev.runnerset.controller.features..", "dev.runnerset.controller.main..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.runnerset.controller.features..");

  @ArchTest
  static final ArchRule theControllersPackagesHaveNoCycles =
      noCyclesIn("dev.runnerset.controller.(*)..");

  @ArchTest
  static final ArchRule thePackagesOfARunnerSetHaveNoCycles =
      slices()
          .matching("dev.runnerset.controller.(**)")
          .that(
              new DescribedPredicate<Slice>("are of a runner set") {
                @Override
                public boolean test(Slice slice) {
                  return slice.getDescription().contains("autoscalingrunnerset");
                }
              })
          .should()
          .beFreeOfCycles();

  @ArchTest
  static final ArchRule theListenersPackagesHaveNoCycles =
      noCyclesIn("dev.runnerset.listener.(**)");

  /** Who is handed a service need not know how it is reached. */
  @ArchTest
  static final ArchRule theTypesOfTheProtocolKnowNoHttp =
      noClasses()
          .that()
          .resideInAPackage("dev.runnerset.actions")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.runnerset.actions.http..", "okhttp3..");

  @ArchTest
  static final ArchRule theSimulatedApiServersPackagesHaveNoCycles =
      noCyclesIn("dev.runnerset.simulator.kube.(*)..");

  @ArchTest
  static final ArchRule thePackagesOfTheDemoHaveNoCycles = noCyclesIn("dev.runnerset.demo.(*)..");

  /** What two suites need is in the package above them, or in the demo. */
  @ArchTest
  static final ArchRule noSuiteKnowsAnother =
      slices().matching("dev.runnerset.e2e.(*)..").should().notDependOnEachOther();
}
