package dev.runnerset.simulator.kube.kind;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.status.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What names and labels may look like (RFC 1123, as upstream). */
public final class NameRules {
  static final String LABEL_RULE =
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and"
          + " must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc',"
          + " regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
  private static final String SUBDOMAIN_RULE =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or"
          + " '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex"
          + " used for validation is"
          + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
  private static final Pattern SUBDOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  private static final Pattern PATH_SEGMENT = Pattern.compile("[^/%]+");
  private static final Pattern KEY =
      Pattern.compile("([a-z0-9.-]{1,253}/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
  private static final Pattern VALUE =
      Pattern.compile("([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?");

  private NameRules() {}

  static boolean isLabel(String name) {
    return name.length() <= 63 && LABEL.matcher(name).matches();
  }

  public static List<Cause> validate(ResourceType type, ObjectNode object) {
    List<Cause> causes = new ArrayList<>();
    String name = object.at("/metadata/name").asText();
    checkName(type, name, causes);
    for (Map.Entry<String, JsonNode> label : object.at("/metadata/labels").properties()) {
      checkKey(label.getKey(), "metadata.labels", causes);
      String value = label.getValue().asText();
      if (!label.getValue().isTextual() || !VALUE.matcher(value).matches()) {
        causes.add(
            Cause.invalid(
                "metadata.labels",
                label.getValue(),
                "a valid label must be an empty string or consist of alphanumeric characters, '-',"
                    + " '_' or '.', and must start and end with an alphanumeric character"));
      }
    }
    for (Map.Entry<String, JsonNode> annotation : object.at("/metadata/annotations").properties()) {
      checkKey(annotation.getKey(), "metadata.annotations", causes);
    }
    for (JsonNode owner : object.at("/metadata/ownerReferences")) {
      for (String field : List.of("apiVersion", "kind", "name", "uid")) {
        if (owner.path(field).asText().isEmpty()) {
          causes.add(
              Cause.invalid("metadata.ownerReferences." + field, "\"\"", "must not be empty"));
        }
      }
    }
    return causes;
  }

  private static void checkName(ResourceType type, String name, List<Cause> causes) {
    if (type.group().equals("rbac.authorization.k8s.io")) {
      if (!PATH_SEGMENT.matcher(name).matches()) {
        causes.add(Cause.invalid("metadata.name", '"' + name + '"', "may not contain '/' or '%'"));
      }
    } else if (type.is(ResourceType.NAMESPACES)) {
      if (!isLabel(name)) {
        causes.add(Cause.invalid("metadata.name", '"' + name + '"', LABEL_RULE));
      }
    } else if (name.length() > 253) {
      causes.add(
          Cause.invalid("metadata.name", '"' + name + '"', "must be no more than 253 characters"));
    } else if (!SUBDOMAIN.matcher(name).matches()) {
      causes.add(Cause.invalid("metadata.name", '"' + name + '"', SUBDOMAIN_RULE));
    }
  }

  private static void checkKey(String key, String field, List<Cause> causes) {
    if (!KEY.matcher(key).matches()) {
      causes.add(
          Cause.invalid(
              field,
              '"' + key + '"',
              "name part must consist of alphanumeric characters, '-', '_' or '.', and must start"
                  + " and end with an alphanumeric character"));
    }
  }
}
