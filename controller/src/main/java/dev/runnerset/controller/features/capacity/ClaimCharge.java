package dev.runnerset.controller.features.capacity;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpec;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What quotas count of the claims that are made for the generic ephemeral volumes of a pod. A claim
 * without a storage class gets the default one later, so that no quota of a class counts it here.
 */
final class ClaimCharge {
  private ClaimCharge() {}

  static List<Charge> of(PodSpec pod) {
    return pod.getVolumes().stream()
        .flatMap(volume -> Stream.ofNullable(volume.getEphemeral()))
        .flatMap(volume -> Stream.ofNullable(volume.getVolumeClaimTemplate()))
        .flatMap(template -> Stream.ofNullable(template.getSpec()))
        .map(ClaimCharge::of)
        .toList();
  }

  private static Charge of(PersistentVolumeClaimSpec claim) {
    var amounts =
        new HashMap<>(Amounts.one(ResourceNames.COUNT_CLAIMS, ResourceNames.CLAIMS).byName());
    var resources = claim.getResources();
    if (resources != null) {
      var requests = Amounts.read(resources.getRequests(), _ -> {}).roundedUpToPieces();
      if (requests.has("storage")) {
        amounts.put(ResourceNames.STORAGE, requests.of("storage"));
      }
    }
    var storageClass = Objects.requireNonNullElse(claim.getStorageClassName(), "");
    if (!storageClass.isEmpty()) {
      for (var name : List.of(ResourceNames.CLAIMS, ResourceNames.STORAGE)) {
        var amount = amounts.get(name);
        if (amount != null) {
          amounts.put(storageClass + ResourceNames.CLASS_SUFFIX + name, amount);
        }
      }
    }
    return new Charge.OfClaim(
        new Amounts(amounts), Objects.requireNonNullElse(claim.getVolumeAttributesClassName(), ""));
  }
}
