/** Writes events at a steady rate into the database of a server, as another node would: a process of its own. */
import { openKeyless } from '../src/app.ts'
import { organizations } from '../src/features/organizations/index.ts'
import { systemClock } from '../src/kernel/instant.ts'

const EVERY_MS = 10

const [, , dataDir = '', count = '0', rate = '0'] = process.argv
const store = await openKeyless({ dataDir, databaseUrl: undefined })
const ids = Array.from({ length: Number(count) }, (_, index) => `streamed-${index}`)
const atOnce = Math.round((Number(rate) * EVERY_MS) / 1000)

function origin() {
  return { actor: { user: 'bench' }, at: systemClock() }
}

for (let from = 0; from < ids.length; from += 200) {
  await store.write(origin(), async (work) => {
    for (const id of ids.slice(from, from + 200)) await work.begin(organizations, id, { type: 'add', name: id }, id)
  })
}

let written = 0
let isActive = true
let at = 0
/** Changes the next organizations: each is deactivated in one round and reactivated in the next. */
async function writeSome(): Promise<void> {
  const some = ids.slice(at, at + atOnce)
  const command = isActive ? ({ type: 'deactivate', isDefault: false } as const) : ({ type: 'reactivate' } as const)
  at += some.length
  if (at >= ids.length) {
    at = 0
    isActive = !isActive
  }
  await store.write(origin(), (work) => Promise.all(some.map((id) => work.decide(organizations, id, command))))
  written += some.length
}

/** A slow disk delays a write, and not the ones after it. */
const IN_FLIGHT = 8

async function run(): Promise<void> {
  const began = performance.now()
  const inFlight = new Set<Promise<void>>()
  for (let turn = 1; ; turn++) {
    if (inFlight.size >= IN_FLIGHT) await Promise.race(inFlight)
    const write = writeSome().finally(() => inFlight.delete(write))
    inFlight.add(write)
    const early = began + turn * EVERY_MS - performance.now()
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
  }
}

process.on('disconnect', () => process.exit(0))
process.on('message', (message) => {
  if (message === 'start') void run()
  process.send?.({ [String(message)]: written })
})
process.send?.({ ready: true })
