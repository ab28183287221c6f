package dev.runnerset.testsupport.apiserver;

/** The objects of the cases, and the definition of their custom kind. */
final class Bodies {
  static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  static final String DEFINITION =
      """
      {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition',
       metadata: {name: 'widgets.contract.runnerset.dev'},
       spec: {group: 'contract.runnerset.dev', scope: 'Namespaced',
        names: {plural: 'widgets', singular: 'widget', kind: 'Widget'},
        versions: [{name: 'v1', served: true, storage: true, subresources: {status: {}},
         schema: {openAPIV3Schema: {type: 'object', required: ['spec'], properties: {
          spec: {type: 'object', required: ['mode'], properties: {
           mode: {type: 'string', enum: ['Fast', 'Slow']},
           replicas: {type: 'integer', minimum: 0, maximum: 10, default: 1},
           name: {type: 'string', maxLength: 5},
           tags: {type: 'array', maxItems: 2, items: {type: 'string'}},
           since: {type: 'string', format: 'date-time'},
           inner: {type: 'object', properties: {on: {type: 'boolean', default: true}}},
           free: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}}},
          status: {type: 'object', properties: {
           replicas: {type: 'integer'},
           phase: {type: 'string', enum: ['Ready', 'Gone']},
           note: {type: 'string'}}}}}}}]}}
      """;

  /** A finalizer in the metadata. */
  static final String HELD = ", finalizers: ['contract.runnerset.dev/hold']";

  private Bodies() {}

  static String widget(String name) {
    return widget(name, "", "mode: 'Fast'");
  }

  /**
   * A widget.
   *
   * @param metadata fields after the name, each with a comma before it
   */
  static String widget(String name, String metadata, String spec) {
    return "{apiVersion: 'contract.runnerset.dev/v1', kind: 'Widget', metadata: {name: '%s'%s}, spec: {%s}}"
        .formatted(name, metadata, spec);
  }

  static String configMap(String name, String metadata) {
    return "{apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: '%s'%s}, data: {a: '1'}}"
        .formatted(name, metadata);
  }

  static String pod(String name) {
    return pod(name, "", "");
  }

  /**
   * A pod.
   *
   * @param spec fields before the containers, each with a comma behind it
   */
  static String pod(String name, String metadata, String spec) {
    return "{apiVersion: 'v1', kind: 'Pod', metadata: {name: '%s'%s}, spec: {%s containers: [{name: 'runner', image: 'example.com/runner:1'}]}}"
        .formatted(name, metadata, spec);
  }
}
