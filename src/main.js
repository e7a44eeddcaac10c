/**
 * Where everything starts: the command line, and behind it the house, loaded only by the commands that enter it. In
 * plain JavaScript for the same reason as what it imports first.
 */
import './config/compile-cache.js'

const { runProgram } = await import('./cli/program.ts')
await runProgram(process.argv, async (options) => {
  const { openHouse } = await import('./house.ts')
  return openHouse(options)
})
