/**
 * What actions cost those who have nothing to do with them: sign-ins beside 1,000 asynchronous targets that are dead, some of which
 * want the events of every sign-in, and beside a target that others wait for and that never answers.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { sleep } from './load.ts'
import { loadHttp1 } from './load-http1.ts'
import { post, type Signet, startSignet, UNLIMITED } from './signet.ts'
import {
  bareRow,
  failuresOf,
  latenciesOf,
  measureInTurn,
  type Plan,
  ratioOf,
  type Speed,
  type Target,
} from './speed.ts'
import { median, percentile, spread } from './statistics.ts'
import type { Row } from './table.ts'

const TARGETS = 1_000
/** The most that an execution may have. */
const TARGETS_OF_EXECUTION = 20
const PEOPLE = 20
const PASSWORD = 'Correct horse 7 battery'
const CALLERS = 2
const PLAN: Plan = { rounds: 16, seconds: 1.5, warmUpMs: 4_000 }
const TIMEOUT_S = 1
const AIM = '≤ 105 %'

/** The events of a sign-in first, so that targets want each of them. */
const SIGN_IN_EVENTS = ['session.added', 'session.user.checked', 'session.password.checked']

/** Accepts connections and never says a word. */
async function openSilent(): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((socket) => socket.on('error', () => {}).resume())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server }
}

async function addPeople(server: Signet): Promise<readonly string[]> {
  const names = Array.from({ length: PEOPLE }, (_, number) => `person-${number}`)
  for (const username of names) {
    await post(server, '/v2/users/human', {
      username,
      profile: { givenName: 'A', familyName: 'Person' },
      email: { email: `${username}@example.com`, isVerified: true },
      password: { password: PASSWORD },
    })
  }
  return names
}

async function put(server: Signet, path: string, body: unknown): Promise<void> {
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: 'PUT',
    headers,
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
}

async function addTarget(server: Signet, name: string, endpoint: string, type: object): Promise<string> {
  const target = { name, endpoint, timeout: `${TIMEOUT_S}s`, ...type }
  return (await post<{ readonly id: string }>(server, '/v2/actions/targets', target)).id
}

/** Adds targets of which every other one refuses connections, and the others never answer; all get events. */
async function addDeadTargets(server: Signet, silent: string, types: readonly string[], count: number): Promise<void> {
  const conditions = [...SIGN_IN_EVENTS, ...types.filter((type) => !SIGN_IN_EVENTS.includes(type))]
  for (let first = 0; first < count; first += TARGETS_OF_EXECUTION) {
    const targets: string[] = []
    for (let number = first; number < Math.min(count, first + TARGETS_OF_EXECUTION); number++) {
      const endpoint = number % 2 === 0 ? silent : 'http://127.0.0.1:1/'
      targets.push(await addTarget(server, `dead-${number}`, endpoint, { restAsync: {} }))
    }
    const event = conditions[first / TARGETS_OF_EXECUTION]
    if (event === undefined) throw new Error('there are too few types of events')
    await put(server, '/v2/actions/executions', { condition: { event: { event } }, targets })
  }
}

/** Complete sign-ins with a password, or sessions of a user without one, which cost hardly anything by themselves. */
function signingIn(server: Signet, people: readonly string[], withPassword: boolean): Target {
  let next = 0
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }
  const body = () => {
    const loginName = people[next++ % people.length]
    const password = withPassword ? { password: { password: PASSWORD } } : {}
    return Buffer.from(JSON.stringify({ checks: { user: { loginName }, ...password } }))
  }
  const request = { method: 'POST', path: '/v2/sessions', headers, body }
  return { server, load: (port) => loadHttp1(port, request, CALLERS) }
}

function p95(speed: Speed): number {
  return percentile(speed.latencies, 0.95)
}

function row(what: string, speeds: readonly Speed[], to: readonly Speed[], of: string, aim?: string): Row {
  const times = speeds.map(p95)
  const processor = 1 / ratioOf(speeds, to, (speed) => speed.perProcessorSecond)
  return {
    what,
    figure: `p95 ${median(times).toFixed(1)} ms`,
    spread: spread(times),
    ratio: ratioOf(speeds, to, p95),
    of,
    ...(aim !== undefined && { aim }),
    note: [...failuresOf(speeds), `${(processor * 100).toFixed(0)} % of its processor time`, latenciesOf(speeds)].join(
      ', ',
    ),
  }
}

/** Calls a method whose target never answers, again and again. Each call must fail, and none may wait for much longer. */
function callDead({ port, token }: Signet, path: string) {
  const took: number[] = []
  let isOver = false
  let succeeded = 0
  const call = async () => {
    while (!isOver) {
      const began = performance.now()
      const { ok } = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } })
      took.push(performance.now() - began)
      if (ok) succeeded++
      await sleep(20)
    }
  }
  const callers = Array.from({ length: 8 }, call)
  return async () => {
    isOver = true
    await Promise.all(callers)
    return { took, succeeded }
  }
}

export async function benchActions(count = TARGETS): Promise<Row[]> {
  const silent = await openSilent()
  const environment = { ...UNLIMITED, SIGNET_ALLOW_PRIVATE_NETWORK: 'true' }
  const [none, many] = [await startSignet(undefined, { environment }), await startSignet(undefined, { environment })]
  const { PEER_EVENT_NAMES } = await import('../src/features/executions/peer-event-names.ts')
  await addDeadTargets(many, silent.url, Object.values(PEER_EVENT_NAMES), count)
  const [here, there] = [await addPeople(none), await addPeople(many)]
  const rows: Row[] = []
  const compare = async (what: string, withPassword: boolean) => {
    const targets = { none: signingIn(none, here, withPassword), many: signingIn(many, there, withPassword) }
    const speeds = await measureInTurn(targets, PLAN)
    return { speeds, name: `${what}, no targets` }
  }
  for (const [what, withPassword] of [
    ['sign-in', true],
    ['session without a password', false],
  ] as const) {
    const { speeds, name } = await compare(what, withPassword)
    rows.push(bareRow(name, speeds.none, CALLERS))
    rows.push(
      row(
        `${what}, ${count} dead asynchronous targets`,
        speeds.many,
        speeds.none,
        name,
        withPassword ? AIM : undefined,
      ),
    )
  }
  const awaited = await addTarget(many, 'awaited', silent.url, { restCall: { interruptOnError: true } })
  const method = '/zitadel.action.v2.ActionService/GetTarget'
  await put(many, '/v2/actions/executions', { condition: { request: { method } }, targets: [awaited] })
  const stop = callDead(many, `/v2/actions/targets/${awaited}`)
  const { speeds, name } = await compare('sign-in', true)
  const { took, succeeded } = await stop()
  rows.push(row('sign-in, and 8 callers of a dead awaited target', speeds.many, speeds.none, name, AIM))
  rows.push({
    what: 'calls of the dead awaited target',
    figure: `at most ${Math.max(...took).toFixed(0)} ms`,
    aim: `≤ ${TIMEOUT_S} s and what the machine adds`,
    note: `${took.length} calls, ${succeeded} succeeded; most fail at once, because it is left alone`,
  })
  await Promise.all([none.stop(), many.stop()])
  silent.server.close()
  return rows
}
