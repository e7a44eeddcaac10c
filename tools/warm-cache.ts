/** Compiles the server's code once, so that even the first start finds it compiled. */
import '../src/config/compile-cache.js'
import { flushCompileCache } from 'node:module'

await import('../src/app.ts')
await import('../src/cli/program.ts')
await import('../src/cli/start.ts')
// These are for threads, and some of them notice that this is none.
for (const thread of [
  new URL('../src/store/sqlite/write-thread.ts', import.meta.url),
  new URL('../src/store/sqlite/scan-thread.ts', import.meta.url),
  new URL('../src/crypto/passwords/thread.ts', import.meta.url),
]) {
  await import(thread.href).catch(() => {})
}
flushCompileCache()
