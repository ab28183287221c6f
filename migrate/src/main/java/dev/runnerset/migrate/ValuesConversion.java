package dev.runnerset.migrate;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

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
  private final Set<String> byFlags = new TreeSet<>();
  private final Options options;

  private ValuesConversion(Options options) {
    this.options = options;
  }

  static Conversion.Converted of(
      String title, ObjectNode values, List<Note> before, Options options) {
    var conversion = new ValuesConversion(options);
    conversion.notes.addAll(before);
    conversion.convert(new Fields("", values, conversion.notes));
    return new Conversion.Converted(title, conversion.output, conversion.notes, conversion.byFlags);
  }

  private void convert(Fields values) {
    var url = values.text("githubConfigUrl");
    if (url == null) {
      values.note("githubConfigUrl", "is absent: give it, as with --set before");
    } else {
      var usable = ConfigUrls.usable(values, url);
      output.put("githubConfigUrl", usable);
      OwnHosts.tellServer(values, usable);
    }
    secret(values);
    scaleSet(values);
    RunnerLimits.put(values, output);
    ProxyConversion.put(values, output, false);
    tls(values);
    names(values);
    metadata(values);
    pods(values);
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
        tellIfRefused(values, secret);
        values.note(
            "githubConfigSecret",
            "holds the credentials in clear, also in the release of Helm: make a secret yourself and"
                + " write its name here");
        return;
      }
    } else if (given != null) {
      output.put("githubConfigSecret", given.asText());
      if (!given.asText().matches("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?")) {
        values.note(
            "githubConfigSecret",
            "cannot be the name of a secret, so that charts/runnerset-set refuses it: write the name"
                + " alone, in small letters");
      }
      return;
    }
    values.note(
        "githubConfigSecret", "is absent: write the name of a secret in the namespace of the set");
  }

  /** What the chart would refuse; ARC's chart, or its controller, refuses it, too. */
  private static void tellIfRefused(Fields values, ObjectNode secret) {
    boolean token = secret.has(CREDENTIALS.getFirst());
    var ofAnApp = CREDENTIALS.subList(1, CREDENTIALS.size());
    var missing = ofAnApp.stream().filter(key -> !secret.has(key)).toList();
    if (token && missing.size() < ofAnApp.size()) {
      refused(values, "both a token and values of a GitHub App are there: keep one of the two");
    } else if (!token && !missing.isEmpty()) {
      refused(values, String.join(" and ", missing) + " of the GitHub App is missing");
    } else if (!token
        && !secret.path(CREDENTIALS.getLast()).asText().contains("PRIVATE KEY-----")) {
      refused(values, "github_app_private_key is no private key in PEM form");
    }
  }

  private static void refused(Fields values, String why) {
    values.note("githubConfigSecret", why + ", so that charts/runnerset-set refuses it");
  }

  private void scaleSet(Fields values) {
    var theirs = values.text("runnerScaleSetName");
    if (theirs == null) {
      theirs = options.release();
      if (options.releaseByFlag()) {
        byFlags.add("--release");
      }
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
    if (id != null) {
      byFlags.add("--scale-set-id");
    }
    ScaleSetName.put(values, output, theirs, id, options);
    ScaleSetName.putLabels(values, "scaleSetLabels", output, "scaleSetLabels", options);
  }

  private void tls(Fields values) {
    var tls = values.object("githubServerTLS");
    if (tls == null) {
      return;
    }
    var fields = new Fields("githubServerTLS", tls, notes);
    var kept = output.putObject("githubServerTLS");
    Certificates.put(fields, kept);
    fields.moveText("runnerMountPath", kept);
    if (!kept.has("runnerMountPath")) {
      fields.note(
          "runnerMountPath",
          "is absent: here the certificate is mounted into the runner all the same; null leaves it"
              + " out");
    }
    fields.tellRest();
  }

  /** Mode and template, which depend on each other. */
  private void pods(Fields values) {
    var mode = new ContainerMode(values);
    var given = values.object("template");
    var theirs = given == null ? JsonNodeFactory.instance.objectNode() : given;
    var labels = Json.object(output.path("labels")).deepCopy();
    labels.setAll(
        Json.object(output.path("resourceMeta").path("autoscalingRunnerSet").path("labels")));
    var variables = Containers.ownVariables(output.path("proxy"));
    var around = new TemplateConversion.Surroundings(setName(), mode.type(), variables, labels);
    var accounts = new TemplateConversion.ServiceAccounts(null, null, true);
    var template = new TemplateConversion(notes, accounts, around).of("template", theirs);
    var converted = mode.converted(template.path("spec"));
    if (converted != null) {
      output.set("containerMode", converted);
    }
    if (!template.isEmpty()) {
      output.set("template", template);
    }
  }

  /** As the chart names the set. */
  private String setName() {
    var given = output.path("nameOverride").asText("");
    if (!given.isEmpty()) {
      return given;
    }
    var name = kubernetesName(output.path("runnerScaleSetName").asText());
    if (name.length() > 63) {
      throw new BadInput(
          "the set would be called '"
              + name
              + "', which is longer than 63 characters: give"
              + " fullnameOverride in the values, or a shorter suffix");
    }
    return name;
  }

  private static String kubernetesName(String text) {
    return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-+|-+$", "");
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
      var override = options.setName(kubernetesName(full));
      output.put("nameOverride", override);
      values.note(
          "fullnameOverride",
          override.startsWith(full)
              ? "is nameOverride here"
              : "is nameOverride here, as '" + override + "'");
      name = null;
    }
    if (name != null) {
      values.note(
          "nameOverride", "was left out: ARC's chart reads it nowhere, here it names the set");
    }
    values.moveText("namespaceOverride", output);
  }

  private void metadata(Fields values) {
    values.moveMetadata(output, Metadata.OF_VALUES);
    values.with(
        "resourceMeta",
        given -> {
          var kept = output.putObject("resourceMeta");
          for (var object : OBJECTS) {
            given.with(
                object, meta -> meta.moveMetadata(kept.putObject(object), Metadata.OF_VALUES));
          }
          given.leaveOut("values.resourceMeta");
        });
    removeEmpty("resourceMeta");
  }
}
