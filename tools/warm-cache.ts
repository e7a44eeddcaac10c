/** Compiles the server's code once, so that even the first start finds it compiled. */
import { keepCompiledCode, saveCompiledCode } from '../src/config/compile-cache.ts'

keepCompiledCode()
await import('../src/house.ts')
await import('../src/cli/start.ts')
await import('../src/store/sqlite-writer.ts').catch(() => {})
saveCompiledCode()
