/** A real control plane for tests: etcd, kube-apiserver, kube-controller-manager on loopback. */
@NullMarked
package dev.runnerset.testcluster;

import org.jspecify.annotations.NullMarked;
