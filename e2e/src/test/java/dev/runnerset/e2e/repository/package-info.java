/** What holds for the code and the pages of all modules. */
@NullMarked
package dev.runnerset.e2e.repository;

import org.jspecify.annotations.NullMarked;
