/** A destination of a test with a real receiver, and runners of its queue. */
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { queueStatus, watchOf } from '../../src/features/deliveries/index.ts'
import { deliveryJobs } from '../../src/features/deliveries/jobs.ts'
import { queueId } from '../../src/features/deliveries/names.ts'
import { organizations } from '../../src/features/organizations/index.ts'
import { instant } from '../../src/kernel/instant.ts'
import type { App } from '../../src/module/app.ts'
import type { Destination, DestinationKind } from '../../src/module/destinations.ts'
import type { JobRunner, StoredEvent } from '../../src/store/index.ts'
import { afterwards } from './afterwards.ts'
import type { TestEngine } from './engines.ts'
import { openReceiver, type Received } from './receiver.ts'
import { openSmallWorld } from './small-world.ts'

export const HOUR = 3_600_000
export const REF = { kind: 'test', id: 'one' }

/** What a test receiver was sent: the object, and the revision of its event. */
function sent({ body }: Received): string {
  return body
}

/** Opens a scene with one destination, and `others` of another owner. */
export async function openScene(
  t: TestContext,
  engine: TestEngine,
  { others = [], ...given }: Partial<Destination> & { readonly others?: readonly string[] } = {},
) {
  const world = await openSmallWorld(engine)
  afterwards(t, () => world.dispose())
  const receiver = await openReceiver()
  const runners: JobRunner[] = []
  afterwards(t, async () => {
    await Promise.all(runners.map((runner) => runner.stop()))
    await receiver.close()
  })
  const [last] = await world.store.events({ descending: true, limit: 1 })
  const state = {
    destination: {
      owner: 'north',
      isActive: true,
      since: last?.sequence ?? 0,
      wants: { kinds: ['organization'] },
      timeoutMs: 2000,
      perSecond: 1000,
      ...given,
    } as Destination | undefined,
    switchedOff: 0,
  }
  const request = (body: string, id = 'one') => ({
    url: receiver.url,
    headers: { 'content-type': 'text/plain', 'x-destination': id },
    body,
  })
  const kind: DestinationKind<App> = {
    name: 'test',
    dependsOn: [],
    list: async () => {
      const { wants } = state.destination ?? {}
      return wants === undefined ? [] : ['one', ...others].map((id) => ({ id, wants }))
    },
    find: async (_, id) => state.destination && { ...state.destination, ...(id !== 'one' && { owner: 'other' }) },
    eventRequest: async (_, id, event: StoredEvent) => request(`${event.id} ${event.revision}`, id),
    callRequest: async (_, __, { payload }) => request(`call ${payload}`),
    switchOff: async () => {
      state.switchedOff++
      state.destination = state.destination && { ...state.destination, isActive: false }
    },
  }
  const appOf = (app: App): App => ({ ...app, destinations: [kind] })
  const app = appOf(world.app)
  const run = (node = app, leaseMilliseconds = 10 * 24 * HOUR) => {
    for (const { handlers, options } of deliveryJobs(node)) {
      const timing = { clock: node.clock, pollMilliseconds: 5, leaseMilliseconds }
      runners.push(node.store.jobs.run(handlers, { ...options, ...timing }))
    }
  }
  const rename = (id: string, name: string) =>
    world.store.write(world.origin(), (work) => work.decide(organizations, id, { type: 'rename', name }))
  const look = (node = app) => watchOf(node).look()
  const until = async (isSo: (status: Awaited<ReturnType<typeof queueStatus>>) => boolean) => {
    for (;;) {
      const status = await queueStatus(app, REF)
      if (isSo(status)) return status
      await sleep(3)
    }
  }
  const lane = async () => (await world.store.jobs.read(queueId(REF)))?.kind
  const pass = (milliseconds: number) => {
    world.clock.now = instant(world.clock.now + milliseconds)
  }
  const texts = () => receiver.received.map(sent)
  return { world, receiver, state, app, appOf, run, rename, look, until, lane, pass, texts }
}
