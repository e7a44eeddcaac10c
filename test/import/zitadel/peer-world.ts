/** Writes the log of a small ZITADEL with keys that nobody else uses. */
import { createCipheriv, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import type { AnyDraft, Remark, Source } from '../../../src/cli/import/draft.ts'
import { runMove } from '../../../src/cli/import/move.ts'
import type { MoveSummary } from '../../../src/cli/import/report.ts'
import { openZitadel, type ZitadelOptions } from '../../../src/cli/import/zitadel/source.ts'
import { engines } from '../../support/engines.ts'
import { openWorld } from '../../support/world.ts'
import { type PeerDatabase, type PeerRow, peerDatabase } from './peer-database.ts'

const MASTER_KEY = Buffer.from('a master key of thirty-two bytes')
const START = Date.UTC(2024, 0, 1)

function encrypt(key: Buffer, plain: Buffer): Buffer {
  const iv = randomBytes(16)
  const cipher = createCipheriv('aes-256-cfb', key, iv)
  return Buffer.concat([iv, cipher.update(plain), cipher.final()])
}

/** Which aggregate an event belongs to. */
export interface Place {
  readonly type: string
  readonly id: string
  readonly owner: string
}

export const INSTANCE = '100000000000000001'
export const ORGANIZATION = '100000000000000002'

export const instance: Place = { type: 'instance', id: INSTANCE, owner: INSTANCE }
export const organization: Place = { type: 'org', id: ORGANIZATION, owner: ORGANIZATION }

export function user(id: string, owner = ORGANIZATION): Place {
  return { type: 'user', id, owner }
}

export function project(id: string, owner = ORGANIZATION): Place {
  return { type: 'project', id, owner }
}

export function authorization(id: string, owner = ORGANIZATION): Place {
  return { type: 'usergrant', id, owner }
}

export class PeerWorld {
  readonly masterKey = MASTER_KEY
  readonly #database: PeerDatabase
  readonly #keys = new Map<string, Buffer>()
  readonly #sequences = new Map<string, number>()
  #events = 0

  constructor(database: PeerDatabase) {
    this.#database = database
  }

  get url(): string {
    return this.#database.url
  }

  run(sql: string, values?: readonly unknown[]): Promise<void> {
    return this.#database.run(sql, values)
  }

  /** When the last event happened. */
  get now(): number {
    return START + this.#events * 1000
  }

  /** Lets time pass before the next event. */
  wait(seconds: number): void {
    this.#events += seconds
  }

  async addKey(id: string): Promise<void> {
    const key = randomBytes(32)
    this.#keys.set(id, key)
    const sealed = encrypt(MASTER_KEY, key).toString('base64url')
    await this.run('insert into system.encryption_keys values ($1, $2)', [id, sealed])
  }

  /** A secret as the log has it. */
  seal(keyId: string, plain: string): Readonly<Record<string, unknown>> {
    const key = this.#keys.get(keyId) ?? randomBytes(32)
    const Crypted = encrypt(key, Buffer.from(plain)).toString('base64')
    return { CryptoType: 0, Algorithm: 'aes', KeyID: keyId, Crypted }
  }

  #row({ type, id, owner }: Place, eventType: string, payload: unknown, instanceId: string): PeerRow {
    const stream = `${type} ${id}`
    const sequence = (this.#sequences.get(stream) ?? 0) + 1
    this.#sequences.set(stream, sequence)
    this.#events++
    return {
      instance_id: instanceId,
      aggregate_type: type,
      aggregate_id: id,
      event_type: eventType,
      sequence,
      revision: 1,
      created_at: new Date(this.now).toISOString(),
      payload: payload ?? null,
      creator: 'test',
      owner,
      position: String(this.now / 1000),
      in_tx_order: 1,
    }
  }

  /** Events of one aggregate: their types, each with its members where it has some. */
  async add(place: Place, events: Readonly<Record<string, unknown>>, instanceId = INSTANCE): Promise<void> {
    const rows = Object.entries(events).map(([type, payload]) => this.#row(place, type, payload, instanceId))
    await this.#database.insertEvents(rows)
  }

  addHuman(id: string, more: Readonly<Record<string, unknown>> = {}, owner = ORGANIZATION): Promise<void> {
    const userName = `user-${id}`
    const names = { firstName: 'Ada', lastName: 'Byron', displayName: 'Ada Byron' }
    return this.add(user(id, owner), {
      'user.human.added': { userName, ...names, email: `${userName}@example.com`, ...more },
    })
  }

  open(options: Partial<ZitadelOptions> = {}): Promise<Source> {
    return openZitadel({ url: this.url, masterKey: this.masterKey, ...options })
  }

  /** Everything that the source yields. */
  async read(): Promise<{ readonly drafts: readonly AnyDraft[]; readonly remarks: readonly Remark[] }> {
    const drafts: AnyDraft[] = []
    const remarks: Remark[] = []
    for await (const item of (await this.open()).read()) {
      if ('remark' in item) remarks.push(item.remark)
      else drafts.push(item)
    }
    return { drafts, remarks }
  }

  /** The only draft of a kind, or the one with an ID. */
  async draft<Kind extends AnyDraft['kind']>(kind: Kind, id?: string): Promise<Extract<AnyDraft, { kind: Kind }>> {
    const { drafts } = await this.read()
    const found = drafts.filter((draft) => draft.kind === kind && (id === undefined || draft.id === id))
    const [only] = found
    if (only === undefined || found.length > 1) throw new Error(`there are ${found.length} drafts of ${kind} ${id}`)
    return only as Extract<AnyDraft, { kind: Kind }>
  }
}

/** One with an instance, an organization and a web key; undefined when this machine has no PostgreSQL. */
export async function peerWorld(t: TestContext): Promise<PeerWorld | undefined> {
  const database = await peerDatabase()
  if (database === undefined) {
    t.skip('no PostgreSQL')
    return undefined
  }
  t.after(() => database.drop())
  const world = new PeerWorld(database)
  for (const id of ['oidcKey', 'otpKey', 'idpConfigKey', 'smtpKey', 'smsKey']) await world.addKey(id)
  await world.add(instance, {
    'instance.added': { name: 'Peer' },
    'instance.default.org.set': { orgId: ORGANIZATION },
    'instance.domain.added': { domain: 'peer.example' },
    'instance.domain.primary.set': { domain: 'peer.example' },
  })
  await world.add(organization, { 'org.added': { name: 'First' } })
  const { privateKey } = generateKeyPairSync('ed25519')
  const kid = '100000000000000003'
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid, alg: 'EdDSA', use: 'sig' }
  await world.add(
    { type: 'web_key', id: kid, owner: INSTANCE },
    { 'web_key.added': { privateKey: world.seal('oidcKey', JSON.stringify(jwk)) }, 'web_key.activated': {} },
  )
  return world
}

/** What becomes of each kind when it moves into a new instance. */
export async function moveOf(world: PeerWorld, t: TestContext): Promise<MoveSummary['kinds']> {
  const [engine] = engines
  if (engine === undefined) throw new Error('no database')
  const target = await openWorld({ engine })
  t.after(() => target.dispose())
  return (await runMove(target.app, await world.open(), { isQuiet: true })).kinds
}
