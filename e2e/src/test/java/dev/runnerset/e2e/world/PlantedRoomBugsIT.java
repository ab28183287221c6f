package dev.runnerset.e2e.world;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The invariants of crowded worlds catch bugs that are planted between our programs and them. */
final class PlantedRoomBugsIT {
  /** A bug, and the invariant that it breaks. */
  enum Bug implements Bugs {
    A_SET_TAKES_AS_MANY_JOBS_AS_EVER("DM6 assigned") {
      @Override
      public PlayedKube kube(World world, LivingProcess process) {
        return new PlayedKube(world, process) {
          @Override
          public <T extends HasMetadata> T merge(Class<T> kind, Resource at, JsonNode body) {
            return super.merge(kind, at, unbound(body));
          }

          private JsonNode unbound(JsonNode body) {
            var copy = body.deepCopy();
            if (copy.path("spec") instanceof ObjectNode spec && spec.path("capacity").isInt()) {
              spec.put("capacity", 100);
            }
            return copy;
          }
        };
      }
    },
    NOBODY_HEARS_OF_QUOTAS("DM12 free") {
      @Override
      public boolean hearsOfQuotas() {
        return false;
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
