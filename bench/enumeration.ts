/**
 * Whether answers tell who has an account (ASVS 6.3.8): sign-ins with a wrong password by a caller who holds nothing but
 * the token of a session, for people of every state and for nobody, in turn. The replies must be the same byte for byte,
 * also when somebody tries again and again, and take the same time.
 */
import { openPasswords } from '../src/crypto/passwords/index.ts'
import { differenceOf } from './mann-whitney.ts'
import { type Signet, startSignet } from './signet.ts'
import { median } from './statistics.ts'
import type { Row } from './table.ts'

const ROUNDS = 400
/** Enough for throttling to begin. */
const TRIES_IN_A_ROW = 7
/** Tries at one person without any waiting. */
const TRIES_OF_A_PERSON = 4

const STATES = ['known', 'unknown', 'locked', 'deactivated', 'passwordless'] as const
type State = (typeof STATES)[number]

interface Reply {
  readonly text: string
  readonly milliseconds: number
}

const WRONG = 'not the password of anybody'

/** Ids and dates differ from reply to reply; nothing else may. */
function mask(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replace(/^date: .*$/m, 'date: <date>')
}

function callerOf(port: number, token: string) {
  return async (verb: string, path: string, body: unknown) => {
    const began = performance.now()
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: verb,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    const milliseconds = performance.now() - began
    const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
    return { isOk: answer.ok, text, milliseconds, whole: `${answer.status}\n${headers}\n${text}` }
  }
}

type Caller = ReturnType<typeof callerOf>

async function asked(call: Caller, path: string, body: unknown): Promise<Readonly<Record<string, string>>> {
  const { isOk, text } = await call('POST', path, body)
  if (!isOk) throw new Error(`${path}: ${text}`)
  return JSON.parse(text) as Readonly<Record<string, string>>
}

/** Adds a person in one of the states and answers their login name. */
async function addPerson(admin: Caller, state: State, index: number, hash: string): Promise<string> {
  const username = `${state}-${index}@example.com`
  if (state === 'unknown') return username
  const { userId } = await asked(admin, '/v2/users/human', {
    username,
    profile: { firstName: 'Ada', lastName: 'Lovelace' },
    email: { email: username, isVerified: true },
    ...(state !== 'passwordless' && { hashedPassword: { hash } }),
  })
  if (state === 'locked') await asked(admin, `/v2/users/${userId}/lock`, {})
  if (state === 'deactivated') await asked(admin, `/v2/users/${userId}/deactivate`, {})
  return username
}

/** Who tries: a machine without any role, with the token of a session that is about nobody yet. */
async function openTrying(server: Signet, admin: Caller) {
  const machine = { userName: 'bystander', name: 'Bystander' }
  const { userId } = await asked(admin, '/management/v1/users/machine', machine)
  const { token } = await asked(admin, `/management/v1/users/${userId}/pats`, {})
  const { sessionId, sessionToken } = await asked(admin, '/v2/sessions', {})
  const call = callerOf(server.port, token ?? '')
  return async (loginName: string): Promise<Reply> => {
    const checks = { user: { loginName }, password: { password: WRONG } }
    const { isOk, whole, milliseconds } = await call('PATCH', `/v2/sessions/${sessionId}`, { sessionToken, checks })
    if (isOk) throw new Error(`${loginName} was let in`)
    return { text: mask(whole), milliseconds }
  }
}

function shuffled<Item>(items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item)
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.every((text, index) => text === other[index])
}

export async function benchEnumeration(databaseUrl: string | undefined): Promise<Row[]> {
  const rows = await benchEngine('SQLite', undefined)
  return databaseUrl === undefined ? rows : [...rows, ...(await benchEngine('PostgreSQL', databaseUrl))]
}

async function benchEngine(engine: string, databaseUrl: string | undefined): Promise<Row[]> {
  const passwords = openPasswords({ currentOwners: () => ['bench'] })
  const hash = await passwords.hash('correct horse battery staple')
  await passwords.close()
  const server = await startSignet(databaseUrl)
  const admin = callerOf(server.port, server.token)
  const attempt = await openTrying(server, admin)

  const replies: Record<State, string[]> = { known: [], unknown: [], locked: [], deactivated: [], passwordless: [] }
  const times: Record<State, number[]> = { known: [], unknown: [], locked: [], deactivated: [], passwordless: [] }
  let names: Partial<Record<State, string>> = {}
  for (let round = 0; round < ROUNDS; round++) {
    if (round % TRIES_OF_A_PERSON === 0) {
      names = {}
      for (const state of STATES) names[state] = await addPerson(admin, state, round, hash)
    }
    for (const state of shuffled(STATES)) {
      const { text, milliseconds } = await attempt(names[state] ?? '')
      replies[state].push(text)
      times[state].push(milliseconds)
    }
  }
  // Again and again, as fast as answers come.
  for (const state of STATES) {
    const name = await addPerson(admin, state, -1, hash)
    for (let count = 0; count < TRIES_IN_A_ROW; count++) replies[state].push((await attempt(name)).text)
  }
  await server.stop()

  return [
    {
      what: `sign-in refused, wrong password, ${engine}`,
      figure: `${median(times.known).toFixed(2)} ms`,
      note: `${ROUNDS} tries of each kind in turn`,
    },
    ...STATES.slice(1).map((state): Row => {
      const { difference, p } = differenceOf(times[state], times.known)
      return {
        what: `sign-in refused, ${state}, ${engine}`,
        figure: `${difference >= 0 ? '+' : ''}${difference.toFixed(2)} ms`,
        ratio: median(times[state]) / median(times.known),
        of: 'wrong password',
        aim: '< 1 ms, p > 0.01',
        note: `p = ${p.toPrecision(2)}, replies ${isEqual(replies[state], replies.known) ? 'equal' : 'NOT EQUAL'}`,
      }
    }),
  ]
}
