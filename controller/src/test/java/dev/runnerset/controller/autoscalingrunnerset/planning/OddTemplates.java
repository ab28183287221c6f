package dev.runnerset.controller.autoscalingrunnerset.planning;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Random;

/** Pod templates as people write them: with nulls, empty values, numbers as quantities. */
final class OddTemplates {
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(JsonParser.Feature.ALLOW_UNQUOTED_FIELD_NAMES)
          .enable(JsonParser.Feature.ALLOW_SINGLE_QUOTES);

  private static final List<String> OF_CONTAINER =
      List.of(
          "{resources: {limits: {cpu: 0.5, memory: 1073741824}, requests: {cpu: '1', memory: '1Gi'}}}",
          "{resources: {limits: {cpu: 2}, requests: {}, claims: []}}",
          "{resources: {limits: null}}",
          "{env: [{name: 'A', value: ''}, {name: 'B', value: null}, {name: 'C', value: 'ä☃'}]}",
          "{env: []}",
          "{env: null, envFrom: [{configMapRef: {name: 'c', optional: true}}]}",
          "{command: ['/home/runner/run.sh'], args: []}",
          "{workingDir: '', image: 'r:1', imagePullPolicy: null}",
          "{volumeMounts: [{name: 'work', mountPath: '/w', readOnly: false}]}",
          "{securityContext: {runAsUser: 1001, privileged: true, capabilities: {add: ['NET_ADMIN']}}}",
          "{securityContext: {}}",
          "{livenessProbe: {httpGet: {port: 8080}, periodSeconds: 3}}",
          "{livenessProbe: {httpGet: {port: 'http', path: '/'}, exec: null}}",
          "{lifecycle: {preStop: {sleep: {seconds: 5}}}}",
          "{ofALaterKubernetes: {a: [1, 2.5, null, {b: true}]}}");

  private static final List<String> OF_POD =
      List.of(
          "{nodeSelector: {gpu: 'true'}, tolerations: [{key: 'x', tolerationSeconds: 300}]}",
          "{nodeSelector: {}, tolerations: []}",
          "{serviceAccountName: 'ci', automountServiceAccountToken: false}",
          "{terminationGracePeriodSeconds: 30, activeDeadlineSeconds: null}",
          "{volumes: [{name: 'work', emptyDir: {}}, {name: 'm', emptyDir: {sizeLimit: 1}}]}",
          "{volumes: [{name: 's', secret: {secretName: 's', defaultMode: 420}}]}",
          "{volumes: [{name: 'e', ephemeral: {volumeClaimTemplate: {metadata: null, spec:"
              + " {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '10Gi'}}}}}}]}",
          "{initContainers: [{name: 'dind', image: 'd', restartPolicy: 'Always'}]}",
          "{affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
              + " {nodeSelectorTerms: [{matchExpressions: [{key: 'a', operator: 'In', values: ['b']}]}]}}}}",
          "{topologySpreadConstraints: [{maxSkew: 1, topologyKey: 'zone', labelSelector: {}}]}",
          "{overhead: {cpu: 0.25}, hostAliases: [{ip: '127.0.0.1', hostnames: ['a']}]}",
          "{imagePullSecrets: [{name: 'r'}], dnsConfig: {options: [{name: 'ndots', value: '1'}]}}",
          "{resourceClaims: [{name: 'gpu', resourceClaimTemplateName: 't'}], schedulingGates: null}",
          "{ofALaterKubernetes: 'yes'}");

  private OddTemplates() {}

  /** A template that a pod can be made of. */
  static ObjectNode template(long seed) {
    var random = new Random(seed);
    var template = JsonNodeFactory.instance.objectNode();
    if (random.nextBoolean()) {
      template.set(
          "metadata",
          read(random.nextBoolean() ? "{labels: {a: 'b', c: ''}, annotations: null}" : "{}"));
    }
    var spec = template.putObject("spec");
    draw(random, OF_POD, spec);
    var containers = spec.putArray("containers");
    for (var name : random.nextBoolean() ? List.of("runner") : List.of("side", "runner")) {
      draw(random, OF_CONTAINER, containers.addObject().put("name", name));
    }
    return template;
  }

  private static void draw(Random random, List<String> from, ObjectNode into) {
    for (int i = random.nextInt(5); i > 0; i--) {
      into.setAll((ObjectNode) read(from.get(random.nextInt(from.size()))));
    }
  }

  private static JsonNode read(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }
}
