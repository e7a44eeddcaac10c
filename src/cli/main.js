/** The command line. Plain JavaScript, so that the compile cache is on before TypeScript is loaded. */
import '../config/compile-cache.js'

if (process.argv[2] === 'start') {
  const { endOnEarlySignals } = await import('./stop-signals.ts')
  endOnEarlySignals()
  const { isSupervisor, supervise } = await import('./supervise.ts')
  if (isSupervisor(process.argv.slice(2))) await supervise(process.argv.slice(3))
}
const { runProgram } = await import('./program.ts')
await runProgram(process.argv)
