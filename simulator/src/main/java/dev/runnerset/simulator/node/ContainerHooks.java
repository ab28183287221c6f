package dev.runnerset.simulator.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What GitHub's container hooks do in a runner, where the environment of its container names them:
 * a pod for the job with a secret for its registry, and, in the mode with a volume, a batch job
 * with a secret for its environment, as one step of the job with an image. At the orderly end of
 * the job pods and secrets are deleted; a batch job is left to its time to live, as by the hooks.
 */
final class ContainerHooks {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerHooks.class);
  private static final String VARIABLE = "ACTIONS_RUNNER_CONTAINER_HOOKS";
  private static final String LABEL = "runner-pod";

  private final KubeCalls kube;
  private final PodIdentity runner;
  private final boolean withVolume;

  private ContainerHooks(KubeCalls kube, PodIdentity runner, boolean withVolume) {
    this.kube = kube;
    this.runner = runner;
    this.withVolume = withVolume;
  }

  /** The hooks of a runner in that pod; empty where its container names none. */
  static Optional<ContainerHooks> of(Pod pod, KubeCalls kube) {
    return pod.getSpec().getContainers().stream()
        .filter(container -> container.getName().equals(NodeOptions.RUNNER_CONTAINER))
        .map(Container::getEnv)
        .flatMap(variables -> variables.stream())
        .filter(variable -> variable.getName().equals(VARIABLE))
        .map(EnvVar::getValue)
        .findFirst()
        .map(path -> new ContainerHooks(kube, PodIdentity.of(pod), !path.contains("novolume")));
  }

  /** A job begins. */
  void prepare() {
    try {
      var registry = makeSecret("kubernetes.io/dockerconfigjson", ".dockerconfigjson");
      var pod = object("v1", "Pod", name("-workflow"));
      var spec = pod.putObject("spec").put("restartPolicy", "Never");
      spec.putArray("imagePullSecrets").addObject().put("name", registry);
      container(spec);
      post("/api/v1", "pods", pod);
      start(pod);
      if (withVolume) {
        var secret = makeSecret("Opaque", "INPUT");
        var job = object("batch/v1", "Job", name("-step-" + drawn()));
        var template = job.putObject("spec").put("ttlSecondsAfterFinished", 300);
        var step = template.putObject("template").putObject("spec").put("restartPolicy", "Never");
        container(step).putArray("envFrom").addObject().putObject("secretRef").put("name", secret);
        post("/apis/batch/v1", "jobs", job);
      }
    } catch (IOException e) {
      LOG.atWarn()
          .addKeyValue("runner", runner.name())
          .addKeyValue("error", e.toString())
          .log("the hooks made nothing for a job");
    }
  }

  private String makeSecret(String type, String key) throws IOException {
    var secret = object("v1", "Secret", name("-secret-" + drawn())).put("type", type);
    secret.putObject("data").put(key, "e30=");
    post("/api/v1", "secrets", secret);
    return secret.at("/metadata/name").asText();
  }

  private static ObjectNode container(ObjectNode spec) {
    return spec.putArray("containers").addObject().put("name", "job").put("image", "alpine:3");
  }

  private ObjectNode object(String apiVersion, String kind, String name) {
    var made = JsonNodeFactory.instance.objectNode();
    made.put("apiVersion", apiVersion).put("kind", kind);
    var metadata = made.putObject("metadata").put("name", name);
    metadata.put("namespace", runner.namespace()).putObject("labels").put(LABEL, runner.name());
    return made;
  }

  /** The hooks cut the name of the runner, never what they add. */
  private String name(String addition) {
    int room = 63 - addition.length();
    return runner.name().substring(0, Math.min(runner.name().length(), room)) + addition;
  }

  private static String drawn() {
    return UUID.randomUUID().toString().substring(0, 8);
  }

  /** A kubelet starts the container at once. */
  private void start(JsonNode pod) throws IOException {
    var status = JsonNodeFactory.instance.objectNode();
    var to = status.putObject("status").put("phase", "Running");
    var container = to.putArray("containerStatuses").addObject();
    container.put("name", "job").put("ready", true).put("restartCount", 0);
    container.put("image", "alpine:3").put("imageID", "");
    container.putObject("state").putObject("running");
    var name = pod.at("/metadata/name").asText();
    kube.patch(place("/api/v1", "pods") + "/" + name + "/status", status);
  }

  private void post(String api, String plural, JsonNode object) throws IOException {
    var answer = kube.post(place(api, plural), object);
    if (!answer.isSuccess()) {
      throw new IOException("no " + plural + ": " + answer.status() + " " + answer.body());
    }
  }

  private String place(String api, String plural) {
    return api + "/namespaces/" + runner.namespace() + "/" + plural;
  }

  /** The job is over. */
  void cleanUp() {
    try {
      deleteAll("pods");
      deleteAll("secrets");
    } catch (IOException e) {
      LOG.atWarn()
          .addKeyValue("runner", runner.name())
          .addKeyValue("error", e.toString())
          .log("the hooks deleted not all of a job");
    }
  }

  private void deleteAll(String plural) throws IOException {
    var all = kube.get(place("/api/v1", plural) + "?labelSelector=" + LABEL + "=" + runner.name());
    var options = JsonNodeFactory.instance.objectNode();
    options.put("apiVersion", "v1").put("kind", "DeleteOptions").put("gracePeriodSeconds", 0);
    for (var each : all.body().path("items")) {
      kube.delete(place("/api/v1", plural) + "/" + each.at("/metadata/name").asText(), options);
    }
  }
}
