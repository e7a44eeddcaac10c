/** Multiplies a log: each copy has organizations, users, projects and sessions of its own in the same instance. */
import type { PeerDatabase, PeerRow } from '../../test/import/zitadel/peer-database.ts'
import type { Template } from './template.ts'

/** Aggregates of which each copy has its own. The others belong to the instance. */
const COPIED: ReadonlySet<string> = new Set(['org', 'user', 'project', 'usergrant', 'session', 'oidc_session'])
/** IDs of one log are nearer to each other than this. */
const DISTANCE = 10_000_000_000_000n
const ID = /(?<!\d)\d{18}(?!\d)/g
const ROWS_AT_ONCE = 2_000

type Payload = Readonly<Record<string, unknown>>

/** IDs that stay: the instance, and the providers and applications of the instance. */
function sharedIds({ rows }: Template): ReadonlySet<string> {
  const shared = new Set<string>()
  for (const { instance_id, aggregate_type, payload } of rows) {
    shared.add(instance_id)
    if (aggregate_type !== 'instance') continue
    const { id, idpConfigId } = (payload ?? {}) as Payload
    for (const one of [id, idpConfigId]) if (typeof one === 'string') shared.add(one)
  }
  return shared
}

/** IDs that somebody chose: they are no numbers. */
function chosenIds(rows: readonly PeerRow[]): readonly string[] {
  const ids = new Set(rows.map(({ aggregate_id }) => aggregate_id))
  return [...ids].filter((id) => id.search(ID) < 0)
}

interface Ids {
  readonly shared: ReadonlySet<string>
  readonly chosen: readonly string[]
}

function renumbered(text: string, copy: number, { shared, chosen }: Ids): string {
  const numbers = text.replace(ID, (id) => (shared.has(id) ? id : String(BigInt(id) + BigInt(copy) * DISTANCE)))
  return chosen.reduce((done, id) => done.replaceAll(JSON.stringify(id), JSON.stringify(`${id}-${copy}`)), numbers)
}

/** Another credential: its ID has to be unique. */
function otherKey(base64: string, copy: number): string {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length >= 4) bytes.writeUInt32BE((bytes.readUInt32BE(0) ^ copy) >>> 0, 0)
  return bytes.toString('base64')
}

/** Names that have to be unique get the number of the copy. */
function renamed(type: string, payload: Payload, copy: number): Payload {
  const changed: Record<string, unknown> = { ...payload }
  const append = (name: string, suffix: string) => {
    if (typeof payload[name] === 'string') changed[name] = `${payload[name]}${suffix}`
  }
  if (type.startsWith('user.')) append('userName', `.${copy}`)
  if (/^org\.(added|changed)$/.test(type)) append('name', ` ${copy}`)
  if (type.startsWith('org.domain.')) changed.domain = `c${copy}.${String(payload.domain)}`
  if (type.includes('.externalidp.')) for (const name of ['userId', 'previousId', 'newId']) append(name, `.${copy}`)
  if (type.endsWith('.token.verified') && typeof payload.keyId === 'string')
    changed.keyId = otherKey(payload.keyId, copy)
  return changed
}

function copyOf(row: PeerRow, copy: number, ids: Ids): PeerRow {
  const payload = row.payload === null ? null : renamed(row.event_type, row.payload as Payload, copy)
  return JSON.parse(renumbered(JSON.stringify({ ...row, payload }), copy, ids)) as PeerRow
}

/** Fills a source with the log and copies of it, until it has this many events; answers how many there are. */
export async function fillSource(
  database: PeerDatabase,
  template: Template,
  { events, say }: { readonly events: number; say(line: string): void },
): Promise<number> {
  const copied = template.rows.filter(({ aggregate_type }) => COPIED.has(aggregate_type))
  const ids = { shared: sharedIds(template), chosen: chosenIds(copied) }
  for (const { id, key } of template.keys) {
    await database.run('insert into system.encryption_keys values ($1, $2)', [id, key])
  }
  let waiting: PeerRow[] = []
  let written = 0
  const write = async () => {
    await database.insertEvents(waiting)
    written += waiting.length
    waiting = []
    if (written % 100_000 < ROWS_AT_ONCE) say(`${written} events in the source`)
  }
  await database.insertEvents(template.rows)
  written += template.rows.length
  for (let copy = 1; written + waiting.length < events; copy++) {
    for (const row of copied) {
      waiting.push(copyOf(row, copy, ids))
      if (waiting.length === ROWS_AT_ONCE) await write()
    }
  }
  await write()
  await database.run('analyze eventstore.events2')
  return written
}
