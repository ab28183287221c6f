package dev.runnerset.controller.features.capacity;

import dev.runnerset.controller.scaling.CapacityLimit;
import dev.runnerset.controller.scaling.LimitedBy;
import java.util.Optional;

/** Room in the quotas of the namespace, shared with the other sets there (DM13). */
final class QuotaTerm implements CapacityTerm {
  @Override
  public Optional<CapacityLimit> limit(CapacityMoment moment) {
    return moment.quotas().flatMap(QuotaTerm::limit);
  }

  private static Optional<CapacityLimit> limit(QuotaFacts facts) {
    var total = facts.total().places();
    return facts
        .tightest()
        .map(tightest -> {
          var share = facts.share();
          int shared = share.isEmpty() ? total : Math.min(total, share.getAsInt());
          var sentence =
              tightest.sentence() + (shared < total ? ", and other sets have a share of it" : "");
          return new CapacityLimit(
              shared, LimitedBy.QUOTA, tightest.quota() + ": " + tightest.resource(), sentence);
        });
  }
}
