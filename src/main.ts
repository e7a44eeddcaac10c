/** Where everything starts: the command line, and behind it the house, loaded only by the commands that enter it. */
import { keepCompiledCode } from './config/compile-cache.ts'

keepCompiledCode()
const { runProgram } = await import('./cli/program.ts')
await runProgram(process.argv, async (options) => {
  const { openHouse } = await import('./house.ts')
  return openHouse(options)
})
