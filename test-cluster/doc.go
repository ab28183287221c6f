// Package testcluster exists so that the folder is a Go module: its tool lines are the programs of
// a real control plane for tests. It holds no code.
package testcluster
