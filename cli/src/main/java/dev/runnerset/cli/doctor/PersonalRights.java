package dev.runnerset.cli.doctor;

import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.crds.ApiGroup;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.List;

/** What the person who runs the program may do, as the API server says. */
public final class PersonalRights {
  private static final String NAME = "your rights";

  /**
   * A right that a command needs.
   *
   * @param group empty for the core group
   * @param part as log of pods/log; empty for the resource itself
   */
  private record Right(String verb, String group, String resource, String part) {
    String named() {
      return resource + (part.isEmpty() ? "" : "/" + part) + (group.isEmpty() ? "" : "." + group);
    }
  }

  private static final List<Right> RIGHTS =
      List.of(
          new Right("list", ApiGroup.NAME, "autoscalingrunnersets", ""),
          new Right("list", ApiGroup.NAME, "ephemeralrunners", ""),
          new Right("patch", ApiGroup.NAME, "autoscalingrunnersets", ""),
          new Right("patch", ApiGroup.NAME, "ephemeralrunners", ""),
          new Right("list", "", "events", ""),
          new Right("get", "", "pods", ""),
          new Right("get", "", "pods", "log"));

  private PersonalRights() {}

  /** A check for all rights together, in a namespace. Blocks for a request each. */
  public static Check in(Cluster cluster, String namespace) {
    var missing = new ArrayList<String>();
    for (var right : RIGHTS) {
      var review =
          new SelfSubjectAccessReviewBuilder()
              .withNewSpec()
              .withNewResourceAttributes()
              .withNamespace(namespace)
              .withVerb(right.verb())
              .withGroup(right.group())
              .withResource(right.resource())
              .withSubresource(right.part())
              .endResourceAttributes()
              .endSpec()
              .build();
      try {
        var answer = cluster.client().authorization().v1().selfSubjectAccessReview().create(review);
        if (answer.getStatus() == null || !Boolean.TRUE.equals(answer.getStatus().getAllowed())) {
          missing.add(right.verb() + " " + right.named());
        }
      } catch (KubernetesClientException e) {
        return Check.unknown(NAME, cluster.failed(e).getMessage());
      }
    }
    return missing.isEmpty()
        ? Check.ok(NAME, "you may do all that the commands need in the namespace " + namespace)
        : Check.unknown(
            NAME,
            "in the namespace %s you may not: %s".formatted(namespace, String.join(", ", missing)));
  }
}
