/** Loaded into the server before it starts: tells how long its event loop was held up since it was last asked. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 1
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()

process.on('message', (message) => {
  if (message !== 'delay') return
  // The timer itself waits for one resolution; what is beyond it is the delay.
  process.send?.({ delay: Math.max(0, delay.percentile(99) / 1e6 - RESOLUTION_MS) })
  delay.reset()
})
process.channel?.unref()
