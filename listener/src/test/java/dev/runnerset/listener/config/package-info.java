@NullMarked
package dev.runnerset.listener.config;

import org.jspecify.annotations.NullMarked;
