package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.crds.ProvisionedFor.DEMAND;
import static dev.runnerset.crds.ProvisionedFor.MIN_RUNNERS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.ephemeralrunner.start.NewRunners;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import dev.runnerset.testsupport.CallerThread;
import java.util.ArrayList;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RF9: Demand for the first max(0, assigned - live), else MinRunners; decided once. */
class ProvisioningTest {
  @ParameterizedTest(name = "{0} assigned, {1} live: {2}")
  @CsvSource({"0,0,0", "5,0,5", "5,3,2", "5,5,0", "3,5,0", ",0,0"})
  void asManyAreForDemandAsJobsHaveNoRunner(@Nullable Integer assigned, int live, int demanded) {
    var demand = new Demand(1, 1, null, assigned, null, null, null, null, null, null, null);
    assertThat(Provisioning.demanded(demand, live)).isEqualTo(demanded);
    assertThat(Provisioning.demanded(null, live)).isZero();
  }

  @Test
  void theFirstOfThemAreForDemand() {
    assertThat(new Provisioning(3, 1).purposes()).containsExactly(DEMAND, MIN_RUNNERS, MIN_RUNNERS);
    assertThat(new Provisioning(2, 5).purposes()).containsExactly(DEMAND, DEMAND);
  }

  @Test
  void aRunnerBearsWhatItWasMadeFor() {
    var made = new ArrayList<EphemeralRunner>();
    new RunnerCreator(new FakeKube().api(), new Random(1), new CallerThread(), new NewRunners())
        .create(RunnerCreatorTest.set("ci"), new Provisioning(6, 5), made::add);
    assertThat(made)
        .extracting(r -> r.getMetadata().getAnnotations().get(Labels.PROVISIONED_FOR))
        .containsExactly("Demand", "Demand", "Demand", "Demand", "Demand", "MinRunners");
  }
}
