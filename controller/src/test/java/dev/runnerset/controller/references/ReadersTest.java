package dev.runnerset.controller.references;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass.Predicates;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.runnerset.crd.EphemeralRunnerSetStatus;
import org.junit.jupiter.api.Test;

/** Design 003, R13 and trap 1: nothing is decided from the full form. */
class ReadersTest {
  @Test
  void onlyTheWriterOfTheFullFormReadsIt() {
    var classes =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.runnerset.controller");
    assertThat(classes.contain(FullForm.class)).isTrue();
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(FullForm.class.getName())
        .should()
        .callMethodWhere(
            target(name("runnerStatuses"))
                .and(target(owner(Predicates.equivalentTo(EphemeralRunnerSetStatus.class)))))
        .check(classes);
    assertThat(classes.get(FullForm.class).getMethodCallsFromSelf())
        .as("the rule would see a call")
        .anyMatch(call -> call.getTarget().getName().equals("runnerStatuses"));
  }
}
