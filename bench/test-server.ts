/** How long other people's tests wait: for a test server beside a first start, and for a reset beside a new server. */
import { fileURLToPath } from 'node:url'
import { startSignet as startTestServer } from '../packages/test/index.ts'
import { alternate } from './rounds.ts'
import { startSignet } from './signet.ts'
import { median, spread } from './statistics.ts'
import type { Row } from './table.ts'

const ROUNDS = 5
const OBJECTS = 1000
const AT_ONCE = 20
const main = fileURLToPath(new URL('../src/main.js', import.meta.url))

async function timed<Value>(run: () => Promise<Value>): Promise<{ readonly ms: number; readonly value: Value }> {
  const began = performance.now()
  const value = await run()
  return { ms: performance.now() - began, value }
}

const start = () => timed(() => startTestServer({ command: [process.execPath, main] }))

export async function benchTestServer(): Promise<Row[]> {
  const { first, ready } = await alternate(
    {
      async first() {
        const server = await startSignet()
        await server.stop()
        return server.readyAfterMs
      },
      async ready() {
        const { ms, value } = await start()
        await value.stop()
        return ms
      },
    },
    ROUNDS,
  )
  const { ms: _, value: server } = await start()
  const resets: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    for (let made = 0; made < OBJECTS; made += AT_ONCE)
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, at) =>
          server.call('/management/v1/users/machine', { userName: `m-${made + at}`, name: 'M' }, server.organizationId),
        ),
      )
    resets.push((await timed(() => server.reset())).ms)
  }
  await server.stop()
  const row = (what: string, samples: readonly number[]): Row => ({
    what,
    figure: `${median(samples).toFixed(0)} ms`,
    spread: spread(samples),
  })
  return [
    { ...row('first start, to ready', first), isBare: true },
    {
      ...row('test server, to ready with its tokens', ready),
      ratio: median(ready) / median(first),
      of: 'first start',
      aim: '≤ 100 %',
    },
    {
      ...row(`reset after ${OBJECTS} users`, resets),
      ratio: median(resets) / median(ready),
      of: 'new test server',
      aim: '≤ 50 %',
    },
  ]
}
