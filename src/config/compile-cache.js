/**
 * Keeps compiled code between starts; to be imported before anything large. Without it, every start strips the types of
 * every file again, which costs more time and memory than all the rest of the start. In plain JavaScript, since a
 * single file that is not compiled yet makes Node load its TypeScript compiler, of 16 MB.
 */
import { constants, enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Beside the code and as trustworthy as it; a folder for everybody would let anybody slip in code of theirs.
const folder = fileURLToPath(new URL('../../node_modules/.cache/signet', import.meta.url))

// Where the folder cannot be written, everything works as well, only slower.
const { status } = enableCompileCache(folder)
// Threads and further processes look here; without it each would load a compiler of its own.
if (status === constants.compileCacheStatus.ENABLED) process.env.NODE_COMPILE_CACHE = folder
