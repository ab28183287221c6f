@NullMarked
package dev.runnerset.controller.features.jobpods;

import org.jspecify.annotations.NullMarked;
