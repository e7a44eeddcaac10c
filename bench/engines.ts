/**
 * Calls over gRPC to the whole server (token, permission, limits, decision, durable commit), on both engines in
 * alternating rounds, beside a bare gRPC server that decodes and encodes messages of the same size.
 */
import { BARE_FORMS, CALLERS, type CallName, type Calls, openCalls, type StartLoad, TITLES } from './calls.ts'
import { startServer } from './child.ts'
import { type Signet, type SignetOptions, startSignet, UNLIMITED } from './signet.ts'
import { bareRow, failuresOf, measureInTurn, type Plan, type Speed, speedRow, type Target } from './speed.ts'
import type { Row } from './table.ts'

/** A server on one engine, and the loads for it. */
interface EngineServer {
  readonly engine: string
  readonly server: Signet
  readonly calls: Calls
}

/** Starts a server on SQLite and, with a database, one on PostgreSQL. Idle servers cost nothing. */
async function openEngines(
  databaseUrl: string | undefined,
  options: SignetOptions = { environment: UNLIMITED },
): Promise<readonly EngineServer[]> {
  const open = async (engine: string, url: string | undefined): Promise<EngineServer> => {
    const server = await startSignet(url, options)
    return { engine, server, calls: await openCalls(server) }
  }
  const sqlite = await open('SQLite', undefined)
  return databaseUrl === undefined ? [sqlite] : [sqlite, await open('PostgreSQL', databaseUrl)]
}

/** A call, and what is aimed at: shares of the bare server, and of SQLite. */
interface Aims {
  readonly call: CallName
  readonly SQLite?: string
  readonly PostgreSQL?: string
  readonly besideSqlite?: string
}

/** The rows of some calls. They are compared with the same bare server. */
async function benchCalls(
  databaseUrl: string | undefined,
  aims: readonly Aims[],
  plan: Plan,
): Promise<{ readonly rows: Row[]; readonly speeds: Readonly<Record<string, readonly Speed[]>> }> {
  const bareForm = BARE_FORMS[aims[0]?.call ?? 'read']
  const bare = await startServer(new URL('bare.ts', import.meta.url), [bareForm])
  const engines = await openEngines(databaseUrl)
  const bareLoad: StartLoad | undefined = engines[0]?.calls[bareForm === 'grpc' ? 'addMachine' : 'read'](CALLERS)
  if (bareLoad === undefined) throw new Error('SQLite comes first')
  const targets: Record<string, Target> = { bare: { server: bare, load: bareLoad } }
  for (const { call } of aims) {
    for (const { engine, server, calls } of engines)
      targets[`${call} ${engine}`] = { server, load: calls[call](CALLERS) }
  }
  const speeds = await measureInTurn(targets, plan)
  for (const { server } of engines) await server.stop()
  await bare.stop()
  const bareSpeeds = speeds.bare ?? []
  const rows = [bareRow(`bare gRPC, beside ${bareForm === 'grpc' ? 'operation 6' : 'sessions'}`, bareSpeeds, CALLERS)]
  for (const { call, besideSqlite, ...aim } of aims) {
    const of = (engine: string) => speeds[`${call} ${engine}`] ?? []
    for (const { engine } of engines) {
      const comparison = { to: bareSpeeds, of: 'bare gRPC', callers: CALLERS, aim: aim[engine as 'SQLite'] }
      rows.push(speedRow(`${TITLES[call]}, ${engine}`, of(engine), comparison))
    }
    if (engines.length === 1) continue
    const comparison = { to: of('SQLite'), of: 'SQLite', callers: CALLERS, aim: besideSqlite }
    const row = speedRow(`${TITLES[call]}, PostgreSQL beside SQLite`, of('PostgreSQL'), comparison)
    // The processor time of PostgreSQL itself is not known here.
    rows.push({ ...row, note: failuresOf(of('PostgreSQL')).join(', ') })
  }
  return { rows, speeds }
}

export async function benchOperation6(databaseUrl: string | undefined): Promise<Row[]> {
  const aims: Aims = { call: 'addMachine', SQLite: '≥ 45 %', besideSqlite: '≥ 60 %' }
  return (await benchCalls(databaseUrl, [aims], { rounds: 40, seconds: 0.25 })).rows
}

export async function benchSessions(databaseUrl: string | undefined): Promise<Row[]> {
  const aims: readonly Aims[] = [
    { call: 'create', SQLite: '≥ 35 %', besideSqlite: '≥ 60 %' },
    { call: 'update' },
    { call: 'read', SQLite: '≥ 50 %', PostgreSQL: '≥ 45 %' },
  ]
  const { rows, speeds } = await benchCalls(databaseUrl, aims, { rounds: 30, seconds: 0.25, warmUpMs: 5_000 })
  const [updates = [], creations = []] = [speeds['update SQLite'], speeds['create SQLite']]
  const comparison = { to: creations, of: 'create a session', callers: CALLERS, aim: '≥ 100 %' }
  return [...rows, speedRow('update a session beside creating one, SQLite', updates, comparison)]
}

const MANY_CALLERS = 600

/** 600 callers beside 64, with the default settings: what is refused is in the note. */
export async function benchCallers(databaseUrl: string | undefined): Promise<Row[]> {
  const engines = await openEngines(databaseUrl, {})
  const names: readonly CallName[] = ['addMachine', 'create', 'read']
  const targets: Record<string, Target> = {}
  for (const call of names) {
    for (const { engine, server, calls } of engines) {
      for (const callers of [CALLERS, MANY_CALLERS])
        targets[`${call} ${engine} ${callers}`] = { server, load: calls[call](callers) }
    }
  }
  const speeds = await measureInTurn(targets, { rounds: 12, seconds: 0.25, warmUpMs: 2_000 })
  for (const { server } of engines) await server.stop()
  return names.flatMap((call) =>
    engines.flatMap(({ engine }) => {
      const few = speeds[`${call} ${engine} ${CALLERS}`] ?? []
      const many = speeds[`${call} ${engine} ${MANY_CALLERS}`] ?? []
      const what = `${TITLES[call]}, ${engine}`
      const comparison = { to: few, of: `${CALLERS} callers`, callers: MANY_CALLERS }
      return [
        bareRow(`${what}, ${CALLERS} callers`, few, CALLERS),
        speedRow(`${what}, ${MANY_CALLERS} callers`, many, comparison),
      ]
    }),
  )
}
