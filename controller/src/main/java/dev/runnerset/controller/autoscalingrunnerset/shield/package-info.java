/** What shields running jobs beside the labels of their pods: does the installation have it? */
@NullMarked
package dev.runnerset.controller.autoscalingrunnerset.shield;

import org.jspecify.annotations.NullMarked;
