/**
 * The entry point of a checkout. `npm ci` builds the server as a few files of JavaScript, which start faster and need
 * less memory. They are used as long as they were built from these sources; otherwise the sources are.
 */
import { findBuild } from './config/checkout-build.js'

await import(findBuild() ?? './cli/main.js')
