/**
 * Preloaded into a server: its garbage is collected again and again. What goes wrong when memory is freed goes wrong soon,
 * and what stays is kept by somebody.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const PAUSE_MS = 500
/** On a busy machine a collection takes long; the server has most of the time nevertheless. */
const PAUSES = 10

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function collectAgain(): void {
  const began = performance.now()
  collect()
  setTimeout(collectAgain, Math.max(PAUSE_MS, PAUSES * (performance.now() - began))).unref()
}

collectAgain()
