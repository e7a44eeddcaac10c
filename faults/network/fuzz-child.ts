/**
 * A server for generated messages, in a process of its own, so that a crash is seen. Arguments: `keeping` to commit what is
 * asked, `sqlite` or `postgres`, and `planted` for a defect in every method. On `open` it opens a new world and tells its
 * parent where it is and what the least valid request of every method is; on `faults` it tells what failed.
 */
import type { Method } from '../../src/access/method.ts'
import { requestOf } from '../../test/matrices/requests.ts'
import { CALLERS, type CallerWorld, openCallers } from '../../test/matrices/world.ts'
import { engines } from '../../test/support/engines.ts'
import { allMethods } from '../../test/support/services.ts'

const [keeping, engineName, planted] = process.argv.slice(2)
const engine = engines.find(({ name }) => name === engineName)

/** What the parent needs to make requests. */
export interface FuzzWorld {
  readonly url: string
  /** The path and the least valid body for each caller in turn. */
  readonly requests: readonly { readonly method: string; readonly bearer: string | undefined; readonly body: string }[]
  /** Those of them by a caller who may do everything. */
  readonly allowed: FuzzWorld['requests']
  /** IDs of objects that exist. */
  readonly ids: readonly string[]
}

export interface FuzzFaults {
  readonly count: number
  readonly samples: readonly string[]
}

/** Whether a text in a message matches. */
function hasText(message: unknown, pattern: RegExp): boolean {
  if (typeof message === 'string') return pattern.test(message)
  return typeof message === 'object' && message !== null && Object.values(message).some((one) => hasText(one, pattern))
}

/** The defect of the control: a handler that cannot take some characters. */
function plantDefect(methods: readonly Method[]): readonly Method[] {
  return methods.map(({ descriptor, handle }) => ({
    descriptor,
    handle: (message, call) => {
      if (hasText(message, /[%<{😀]/u)) throw new TypeError('a planted defect')
      return handle(message, call)
    },
  }))
}

let world: CallerWorld | undefined

async function open(): Promise<FuzzWorld> {
  await world?.close()
  const wrap = planted === 'planted' ? { wrap: plantDefect } : {}
  world = await openCallers({ commits: keeping === 'keeping', ...(engine && { engine }), ...wrap })
  const { callers, url, ids } = world
  const requests: FuzzWorld['requests'][number][] = []
  const allowed: FuzzWorld['requests'][number][] = []
  for (const [method, descriptor] of allMethods) {
    for (const name of CALLERS) {
      const caller = callers[name]
      const request = { method, bearer: caller.bearer, body: JSON.stringify(requestOf(descriptor, world, caller)) }
      requests.push(request)
      if (name === 'owner of the instance') allowed.push(request)
    }
  }
  return { url, requests, allowed, ids: Object.values(ids) }
}

function readFaults({ faults }: CallerWorld): FuzzFaults {
  const samples = faults.slice(0, 10).map(({ method, error }) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return `${method}: ${text.split('\n').slice(0, 4).join(' ')}`
  })
  return { count: faults.length, samples }
}

process.on('message', async (word: 'open' | 'faults') => {
  if (word === 'open') process.send?.(await open())
  else if (world !== undefined) process.send?.(readFaults(world))
})
process.on('disconnect', () => process.exit(0))
// The log of requests would grow with every message.
setInterval(() => world?.finished.splice(0), 500)
