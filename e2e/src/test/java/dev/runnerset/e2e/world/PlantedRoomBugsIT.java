package dev.runnerset.e2e.world;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The invariants of crowded worlds catch bugs that are planted between our programs and them. */
final class PlantedRoomBugsIT {
  /** A bug, and the invariant that it breaks. */
  enum Bug implements Bugs {
    NOBODY_HEARS_OF_QUOTAS("DM6 assigned") {
      @Override
      public boolean hearsOfQuotas() {
        return false;
      }
    },
    THE_NUMBER_NEVER_RISES("DM12 free") {
      @Override
      public PlayedKube kube(World world, LivingProcess process) {
        return new PlayedKube(world, process) {
          @Override
          public <T extends HasMetadata> T merge(Class<T> kind, Resource at, JsonNode body) {
            var before = world.server.get(AutoScalingListener.class, at.name());
            int wanted = body.path("spec").path("capacity").asInt(0);
            return before != null && wanted > before.getSpec().capacity()
                ? super.get(kind, at)
                : super.merge(kind, at, body);
          }
        };
      }
    };

    final String breaks;

    Bug(String breaks) {
      this.breaks = breaks;
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource
  void isCaught(Bug bug) {
    Planted.mustBreak(World.Kind.CROWDED, bug.breaks, bug);
  }
}
