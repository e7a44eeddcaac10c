/** Compiles the server's code once, so that even the first start finds it compiled. */
import '../src/config/compile-cache.js'
import { flushCompileCache } from 'node:module'

await import('../src/app.ts')
await import('../src/cli/program.ts')
await import('../src/cli/start.ts')
// These are for threads, and some of them notice that this is none.
for (const thread of ['store/sqlite/write-thread', 'store/sqlite/scan-thread', 'crypto/passwords/thread']) {
  await import(`../src/${thread}.ts`).catch(() => {})
}
flushCompileCache()
