package dev.runnerset.testsupport.apiserver;

/** The custom kind of the cases. */
final class Widgets {
  static final String GROUP = "contract.runnerset.dev";
  static final String DEFINITION_PATH =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets." + GROUP;

  static final String DEFINITION =
      """
      {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
       "metadata": {"name": "widgets.contract.runnerset.dev"},
       "spec": {"group": "contract.runnerset.dev", "scope": "Namespaced",
        "names": {"plural": "widgets", "singular": "widget", "kind": "Widget", "shortNames": ["wd"]},
        "versions": [{"name": "v1", "served": true, "storage": true,
         "subresources": {"status": {},
          "scale": {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"}},
         "additionalPrinterColumns": [
          {"name": "Replicas", "type": "integer", "jsonPath": ".spec.replicas"},
          {"name": "Born", "type": "date", "jsonPath": ".metadata.creationTimestamp"}],
         "schema": {"openAPIV3Schema": {"type": "object", "required": ["spec"], "properties": {
          "spec": {"type": "object", "required": ["mode"], "properties": {
           "mode": {"type": "string", "enum": ["Fast", "Slow"]},
           "replicas": {"type": "integer", "minimum": 0, "maximum": 10, "default": 1},
           "name": {"type": "string", "minLength": 2, "maxLength": 5, "pattern": "^[a-z]+$"},
           "port": {"x-kubernetes-int-or-string": true},
           "maybe": {"type": "string", "nullable": true},
           "tags": {"type": "array", "maxItems": 2, "items": {"type": "string"}},
           "limits": {"type": "object", "additionalProperties": {"type": "integer"}},
           "inner": {"type": "object", "properties": {"on": {"type": "boolean", "default": true}}},
           "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}},
          "status": {"type": "object", "properties": {
           "replicas": {"type": "integer"},
           "phase": {"type": "string", "enum": ["Ready", "Gone"]},
           "note": {"type": "string"}}}}}}}]}}
      """;

  private Widgets() {}

  static String named(String name) {
    return with(name, "", "\"mode\": \"Fast\"");
  }

  static String spec(String name, String specFields) {
    return with(name, "", specFields);
  }

  /**
   * @param metadata fields after the name, each with a comma before it
   */
  static String with(String name, String metadata, String specFields) {
    return "{\"apiVersion\": \"contract.runnerset.dev/v1\", \"kind\": \"Widget\","
        + " \"metadata\": {\"name\": \""
        + name
        + '"'
        + metadata
        + "}, \"spec\": {"
        + specFields
        + "}}";
  }

  static String configMap(String name, String metadata) {
    return "{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \""
        + name
        + '"'
        + metadata
        + "}, \"data\": {\"a\": \"1\"}}";
  }

  /**
   * @param spec fields before the containers, each with a comma behind it
   */
  static String pod(String name, String metadata, String spec) {
    return "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \""
        + name
        + '"'
        + metadata
        + "}, \"spec\": {"
        + spec
        + "\"containers\": [{\"name\": \"runner\", \"image\": \"example.com/runner:1\"}]}}";
  }
}
