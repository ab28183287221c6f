/** The scenarios of the demo, and what each must prove. */
@NullMarked
package dev.runnerset.demo.scenario;

import org.jspecify.annotations.NullMarked;
