/**
 * Keeps compiled code between starts: without it, every start strips the types of every file again, which costs more
 * time and memory than all the rest of the start.
 */
import { constants, enableCompileCache, flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Beside the code and as trustworthy as it; a folder for everybody would let anybody slip in code of theirs.
const folder = fileURLToPath(new URL('../../node_modules/.cache/signet', import.meta.url))

/** To be called before anything large is imported. Does nothing where the folder cannot be written. */
export const keepCompiledCode = (): void => {
  const { status } = enableCompileCache(folder)
  // Threads and further processes look here; without it each would load a compiler of its own.
  if (status === constants.compileCacheStatus.ENABLED) process.env.NODE_COMPILE_CACHE = folder
}

/** Writes what was compiled so far, so that it is kept however this process ends. */
export const saveCompiledCode = (): void => flushCompileCache()
