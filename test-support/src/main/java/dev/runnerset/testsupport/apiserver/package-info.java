/**
 * What any Kubernetes API server must do for our programs: cases that run over HTTP against one.
 */
@NullMarked
package dev.runnerset.testsupport.apiserver;

import org.jspecify.annotations.NullMarked;
