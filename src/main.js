/**
 * Where everything starts: the command line, and behind it the house, loaded only by the commands that enter it. In
 * plain JavaScript for the same reason as what it imports first.
 */
import './config/compile-cache.js'

const { runProgram } = await import('./cli/program.ts')
await runProgram(process.argv, async (options) => {
  const { openHouse } = await import('./house.ts')
  // After what is large: compiled code that was kept is only good for a V8 with the same flags.
  await import('./config/pretenuring.js')
  return openHouse(options)
})
