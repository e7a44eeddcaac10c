/** After loading: keeps compiled code for the next start, and gives back the memory that loading needed. */
import { flushCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * V8 keeps its young generation as large as loading has made it, 32 MB that an idle server never uses again; it grows
 * anew with the load. Only this kind of collection shrinks it, and only the function that tests use asks for one.
 */
function giveBackMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect: typeof gc = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

const LOOK_EVERY_MS = 1000

/**
 * To be called once, after everything is loaded. The memory is given back in the first idle moment after that, because
 * it stops the process for about as long as a third of the start takes.
 */
export function settleAfterLoading(isIdle: () => boolean): void {
  flushCompileCache()
  const timer = setInterval(() => {
    if (!isIdle()) return
    clearInterval(timer)
    giveBackMemory()
  }, LOOK_EVERY_MS)
  timer.unref()
}
