// Package oldest names the oldest Kubernetes that is supported, for the nightly run of .ci/nightly.
package oldest
