/**
 * Preloaded into a server: its garbage is collected again and again. What goes wrong when memory is freed goes wrong soon,
 * and what stays is kept by somebody.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const EVERY_MS = 500

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
setInterval(collect, EVERY_MS).unref()
