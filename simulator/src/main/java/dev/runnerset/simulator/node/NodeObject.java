package dev.runnerset.simulator.node;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The Node object of the cluster and its lease. */
final class NodeObject {
  private static final Logger LOG = LoggerFactory.getLogger(NodeObject.class);
  private static final String LEASES =
      "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
  private static final int LEASE_SECONDS = 40;
  private final KubeCalls kube;
  private final NodeOptions options;
  private final String name;

  NodeObject(KubeCalls kube, NodeOptions options, String name) {
    this.kube = kube;
    this.options = options;
    this.name = name;
  }

  /** Creates the object if need be, and declares it ready. */
  void register() throws IOException {
    var node = object("v1", "Node");
    node.withObject("metadata").putObject("labels").put("kubernetes.io/hostname", name);
    refuse(kube.post("/api/v1/nodes", node), "node");
    var answer = kube.patch("/api/v1/nodes/" + name + "/status", ready());
    if (!answer.isSuccess()) {
      throw new IOException("the node's status was refused with status " + answer.status());
    }
    var lease = object("coordination.k8s.io/v1", "Lease");
    lease.set("spec", holder());
    refuse(kube.post(LEASES, lease), "lease");
  }

  private ObjectNode object(String apiVersion, String kind) {
    var node = JsonNodeFactory.instance.objectNode();
    node.put("apiVersion", apiVersion).put("kind", kind).putObject("metadata").put("name", name);
    return node;
  }

  /** 409: it is there. 404 for the lease: the API has no such namespace, and nobody reads it. */
  private static void refuse(KubeCalls.Answer answer, String what) throws IOException {
    if (!answer.isSuccess() && answer.status() != 409 && answer.status() != 404) {
      throw new IOException("the " + what + " was refused with status " + answer.status());
    }
  }

  private ObjectNode ready() {
    var patch = JsonNodeFactory.instance.objectNode();
    var status = patch.putObject("status");
    for (var kind : new String[] {"capacity", "allocatable"}) {
      status
          .putObject(kind)
          .put("cpu", "1000")
          .put("memory", "4Ti")
          .put("pods", Integer.toString(options.maxPods));
    }
    var now = PodStatuses.time(options.nodeTime());
    status
        .putArray("conditions")
        .addObject()
        .put("type", "Ready")
        .put("status", "True")
        .put("reason", "KubeletReady")
        .put("message", "simulated")
        .put("lastHeartbeatTime", now)
        .put("lastTransitionTime", now);
    status.putArray("addresses").addObject().put("type", "InternalIP").put("address", "127.0.0.1");
    status
        .putObject("nodeInfo")
        .put("kubeletVersion", "v0.0.0-simulated")
        .put("architecture", "amd64")
        .put("operatingSystem", "linux")
        .put("bootID", "")
        .put("containerRuntimeVersion", "simulated://0")
        .put("kernelVersion", "")
        .put("kubeProxyVersion", "")
        .put("machineID", "")
        .put("osImage", "")
        .put("systemUUID", "");
    return patch;
  }

  private ObjectNode holder() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("holderIdentity", name)
        .put("leaseDurationSeconds", LEASE_SECONDS)
        .put("renewTime", micros(options.nodeTime()));
  }

  private static String micros(Instant at) {
    var text = at.truncatedTo(ChronoUnit.SECONDS).toString();
    return text.substring(0, text.length() - 1) + ".000000Z";
  }

  /** Renews the lease; a failure is tried again with the next heartbeat. */
  void heartbeat() {
    var patch = JsonNodeFactory.instance.objectNode();
    patch.set("spec", holder());
    try {
      kube.patch(LEASES + "/" + name, patch);
    } catch (IOException e) {
      LOG.atDebug().addKeyValue("error", e.toString()).log("heartbeat not answered");
    }
  }
}
