package dev.runnerset.migrate;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Values of the chart gha-runner-scale-set as values of charts/runnerset-set. */
final class ValuesConversion {
  private static final List<String> CREDENTIALS =
      List.of(
          "github_token", "github_app_id", "github_app_installation_id", "github_app_private_key");

  /** Objects that both charts make. */
  private static final List<String> OBJECTS =
      List.of(
          "autoscalingRunnerSet",
          "githubConfigSecret",
          "hookExtension",
          "kubernetesModeRole",
          "kubernetesModeRoleBinding",
          "kubernetesModeServiceAccount",
          "managerRoleBinding",
          "noPermissionServiceAccount");

  private final List<Note> notes = new ArrayList<>();
  private final ObjectNode output = JsonNodeFactory.instance.objectNode();
  private final Options options;

  private ValuesConversion(Options options) {
    this.options = options;
  }

  static Conversion.Converted of(
      String title, ObjectNode values, List<Note> before, Options options) {
    var conversion = new ValuesConversion(options);
    conversion.notes.addAll(before);
    conversion.convert(new Fields("", values, conversion.notes));
    return new Conversion.Converted(
        title, conversion.output, conversion.notes, options.scaleSetId() != null);
  }

  private void convert(Fields values) {
    var url = values.text("githubConfigUrl");
    if (url == null) {
      values.note("githubConfigUrl", "is absent: give it, as with --set before");
    } else {
      output.put("githubConfigUrl", url);
      OwnHosts.tellServer(values, url);
    }
    secret(values);
    scaleSet(values);
    RunnerLimits.put(values, output);
    ProxyConversion.put(values, output, false);
    tls(values);
    containerMode(values);
    var template = values.object("template");
    if (template != null) {
      var accounts = new TemplateConversion.ServiceAccounts(null, null, true);
      output.set("template", new TemplateConversion(notes, accounts).of("template", template));
    }
    names(values);
    metadata(values);
    values.leaveOut("values");
    values.tellRest();
  }

  private void secret(Fields values) {
    var given = values.take("githubConfigSecret");
    if (given instanceof ObjectNode map) {
      var fields = new Fields("githubConfigSecret", map, notes);
      var secret = JsonNodeFactory.instance.objectNode();
      CREDENTIALS.forEach(key -> fields.moveText(key, secret));
      fields.tellRest();
      if (!secret.isEmpty()) {
        output.set("githubConfigSecret", secret);
        values.note(
            "githubConfigSecret",
            "holds the credentials in clear, also in the release of Helm: make a secret yourself and"
                + " write its name here");
        return;
      }
    } else if (given != null) {
      output.put("githubConfigSecret", given.asText());
      return;
    }
    values.note(
        "githubConfigSecret", "is absent: write the name of a secret in the namespace of the set");
  }

  private void scaleSet(Fields values) {
    var theirs = values.text("runnerScaleSetName");
    if (theirs == null) {
      theirs = options.release();
    }
    if (theirs == null) {
      throw new BadInput(
          "runnerScaleSetName is absent, so that the scale set has the name of the Helm release: give"
              + " it with --release NAME");
    }
    var id = options.scaleSetId();
    if (options.adopt() && id == null) {
      throw new BadInput(
          "--adopt: values do not say which scale set it is; give the id with --scale-set-id (the"
              + " annotation runner-scale-set-id of the AutoscalingRunnerSet)");
    }
    ScaleSetName.put(values, output, theirs, id, options);
    ScaleSetName.putLabels(values, "scaleSetLabels", output, "scaleSetLabels", options);
  }

  private void tls(Fields values) {
    var tls = values.object("githubServerTLS");
    if (tls == null) {
      return;
    }
    output.set("githubServerTLS", tls);
    if (Fields.isEmpty(tls.path("runnerMountPath"))) {
      values.note(
          "githubServerTLS.runnerMountPath",
          "is absent: here the certificate is mounted into the runner all the same; null leaves it"
              + " out");
      tls.remove("runnerMountPath");
    }
  }

  private void containerMode(Fields values) {
    values.with(
        "containerMode",
        mode ->
            mode.move(
                output.withObjectProperty("containerMode"),
                "type",
                "kubernetesModeWorkVolumeClaim",
                "kubernetesModeAdditionalRoleRules",
                "kubernetesModeHookExtension"));
    removeEmpty("containerMode");
  }

  private void removeEmpty(String object) {
    if (output.path(object).isEmpty()) {
      output.remove(object);
    }
  }

  private void names(Fields values) {
    var full = values.text("fullnameOverride");
    var name = values.text("nameOverride");
    if (full != null) {
      output.put("nameOverride", options.setName(full));
      values.note("fullnameOverride", "is nameOverride here");
      name = null;
    }
    if (name != null) {
      values.note(
          "nameOverride", "was left out: ARC's chart reads it nowhere, here it names the set");
    }
    values.moveText("namespaceOverride", output);
  }

  private void metadata(Fields values) {
    values.moveMetadata(output);
    values.with(
        "resourceMeta",
        given -> {
          var kept = output.putObject("resourceMeta");
          for (var object : OBJECTS) {
            var meta = given.object(object);
            if (meta != null) {
              kept.set(object, meta);
            }
          }
          given.leaveOut("values.resourceMeta");
        });
    removeEmpty("resourceMeta");
  }
}
