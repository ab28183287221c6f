package dev.runnerset.migrate;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.crds.ApiGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One AutoscalingRunnerSet as one AutoScalingRunnerSet. */
final class SetConversion {
  private static final String CLEANUP = "actions.github.com/cleanup-";
  private final List<Note> notes = new ArrayList<>();
  private final ObjectNode set;
  private final String name;
  private final Options options;

  private SetConversion(ObjectNode set, String name, Options options) {
    this.set = set;
    this.name = name;
    this.options = options;
  }

  static Conversion.Converted of(ObjectNode set, Options options) {
    var name = set.path("metadata").path("name").asText("");
    if (name.isEmpty()) {
      throw new BadInput("an AutoscalingRunnerSet has no metadata.name: add it");
    }
    var namespace = set.path("metadata").path("namespace").asText("");
    var title = namespace.isEmpty() ? name : namespace + "/" + name;
    try {
      var conversion = new SetConversion(set, name, options);
      Placeholders.check(set, conversion.notes);
      var output = conversion.convert();
      boolean idByFlag = options.scaleSetId() != null && conversion.annotatedId() == null;
      var flags = idByFlag ? Set.of("--scale-set-id") : Set.<String>of();
      return new Conversion.Converted(title, output, conversion.notes, flags);
    } catch (BadInput e) {
      throw new BadInput(title + ": " + e.getMessage());
    }
  }

  private ObjectNode convert() {
    var output = JsonNodeFactory.instance.objectNode();
    output.put("apiVersion", ApiGroup.API_VERSION).put("kind", "AutoScalingRunnerSet");
    var metadata = metadata();
    output.set("metadata", metadata);
    var fields = new Fields("spec", spec(), notes);
    output.set("spec", spec(fields, Json.object(metadata.path("labels"))));
    fields.leaveOut("set.spec");
    fields.tellRest();
    return output;
  }

  private ObjectNode spec() {
    if (set.get("spec") instanceof ObjectNode spec) {
      return spec;
    }
    throw new BadInput(
        "spec is missing: give the whole resource, as kubectl get -o yaml prints it");
  }

  private ObjectNode metadata() {
    var fields = new Fields("metadata", (ObjectNode) set.get("metadata"), notes);
    var metadata = JsonNodeFactory.instance.objectNode();
    fields.take("name");
    metadata.put("name", options.setName(name));
    fields.moveText("namespace", metadata);
    fields.moveMetadata(metadata, Metadata.OF_A_SET);
    if (set.path("metadata").has("deletionTimestamp")) {
      fields.note("deletionTimestamp", "ARC's set is being deleted");
    }
    fields.leaveOut("set.metadata");
    finalizers(fields);
    fields.tellRest();
    return metadata;
  }

  private static void finalizers(Fields fields) {
    var finalizers = fields.take("finalizers");
    if (finalizers == null) {
      return;
    }
    for (var finalizer : finalizers) {
      if (!finalizer.asText().startsWith("autoscalingrunnerset.actions.github.com/")) {
        fields.note("finalizers", "'" + finalizer.asText() + "' was left out");
      }
    }
  }

  private ObjectNode spec(Fields fields, ObjectNode labels) {
    var spec = JsonNodeFactory.instance.objectNode();
    var url = ConfigUrls.usable(fields, needed(fields, "githubConfigUrl"));
    spec.put("githubConfigUrl", url);
    OwnHosts.tellServer(fields, url);
    spec.putObject("githubConfigSecret").put("name", secret(fields));
    scaleSet(fields, spec);
    RunnerLimits.put(fields, spec);
    ProxyConversion.put(fields, spec, true);
    fields.with("githubServerTLS", tls -> Certificates.put(tls, spec.putObject("githubServerTLS")));
    var template = fields.object("template");
    if (template == null) {
      throw new BadInput("spec.template is missing: add the pod template of the runners");
    }
    var variables = Containers.ownVariables(spec.path("proxy"));
    var around =
        new TemplateConversion.Surroundings(options.setName(name), null, variables, labels);
    spec.set("template", template(around).of("spec.template", template));
    return spec;
  }

  private TemplateConversion template(TemplateConversion.Surroundings around) {
    return new TemplateConversion(
        notes,
        new TemplateConversion.ServiceAccounts(
            annotation(CLEANUP + "no-permission-service-account-name"),
            annotation(CLEANUP + "kubernetes-mode-service-account-name"),
            false),
        around);
  }

  private void scaleSet(Fields fields, ObjectNode spec) {
    var id = scaleSetId();
    if (options.adopt() && id == null) {
      throw new BadInput(
          "--adopt: the annotation runner-scale-set-id is missing, so that its scale set is not"
              + " known; read the resource with kubectl get -o yaml, or give the id with --scale-set-id");
    }
    var theirs = fields.text("runnerScaleSetName");
    ScaleSetName.put(fields, spec, theirs == null ? name : theirs, id, options);
    ScaleSetName.putLabels(fields, "runnerScaleSetLabels", spec, "labels", options);
  }

  /** That of the annotation; the flag is for a set without one. */
  private @Nullable Integer scaleSetId() {
    var known = annotatedId();
    var given = options.scaleSetId();
    if (known != null && given != null && !known.equals(given)) {
      throw new BadInput(
          "--scale-set-id is "
              + given
              + ", but the annotation runner-scale-set-id is "
              + known
              + ": leave the flag out, or correct the annotation");
    }
    return known == null ? given : known;
  }

  private @Nullable Integer annotatedId() {
    var id = annotation("runner-scale-set-id");
    return id != null && id.matches("[1-9]\\d{0,8}") ? Integer.valueOf(id) : null;
  }

  private @Nullable String annotation(String key) {
    var value = set.path("metadata").path("annotations").path(key).asText("");
    return value.isEmpty() ? null : value;
  }

  private String secret(Fields fields) {
    var secret = needed(fields, "githubConfigSecret");
    if (fields.take("vaultConfig") != null) {
      var name = secret.toLowerCase(Locale.ROOT);
      fields.note(
          "vaultConfig",
          "was left out: credentials are read from Kubernetes secrets only. Bring the key '"
              + secret
              + "' of the vault into a secret '"
              + name
              + "' of this namespace, as with External Secrets");
      return name;
    }
    if (secret.equals(annotation(CLEANUP + "github-secret-name"))) {
      fields.note(
          "githubConfigSecret",
          "'"
              + secret
              + "' belongs to ARC's release and goes with it: make a secret of your own and"
              + " name it here before you uninstall");
    }
    return secret;
  }

  static String needed(Fields fields, String field) {
    var value = fields.text(field);
    if (value == null) {
      throw new BadInput(fields.path(field) + " is missing: add it");
    }
    return value;
  }
}
