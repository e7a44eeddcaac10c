/** A ZITADEL as a source of drafts: chooses the instance, tests the master key, and yields everything in order. */
import type { Source } from '../draft.ts'
import { CannotImport } from '../import.ts'
import { executionDrafts, targetDrafts } from './drafts/actions.ts'
import { applicationDrafts } from './drafts/applications.ts'
import { groupDrafts, groupMemberDrafts } from './drafts/groups.ts'
import { instanceDrafts } from './drafts/instance.ts'
import { parseWebKey, tokenKeyDraft, webKeyDrafts } from './drafts/keys.ts'
import { administratorDrafts, metadataDrafts } from './drafts/members.ts'
import { organizationDrafts } from './drafts/organizations.ts'
import { authorizationDrafts, grantDrafts, projectDrafts } from './drafts/projects.ts'
import { providerDrafts } from './drafts/providers.ts'
import { settingsDrafts } from './drafts/settings.ts'
import { brandingFileDrafts, textDrafts } from './drafts/texts.ts'
import { avatarDrafts, openTotpSecret, userDrafts } from './drafts/users.ts'
import { fold, only } from './fold.ts'
import { webKeys } from './folds/instance.ts'
import { users } from './folds/users.ts'
import { KeyRing } from './keys.ts'
import { leftBehind, READ_TYPES } from './left-behind.ts'
import { type PeerInstance, PeerLog } from './log.ts'
import { type Item, type Reading, remark } from './reading.ts'
import { lookUpWorld, readWorld } from './world.ts'

export interface ZitadelOptions {
  readonly url: string
  readonly masterKey: Buffer
  /** ID, name or domain of the instance, where the database has several. */
  readonly instance?: string
}

function describe({ id, name, domains }: PeerInstance): string {
  return `${id} "${name}" (${domains.join(', ')})`
}

/** The instance that was asked for, or the only one. */
function chosen(instances: readonly PeerInstance[], wanted: string | undefined): PeerInstance {
  const fitting = instances.filter(
    ({ id, name, domains }) => wanted === undefined || id === wanted || name === wanted || domains.includes(wanted),
  )
  const [found] = fitting
  if (found !== undefined && fitting.length === 1) return found
  if (instances.length === 0) throw new CannotImport('The log is incomplete: it has no instance.')
  const list = instances.map(describe).join('; ')
  const problem = wanted === undefined ? 'The database has several instances' : `"${wanted}" names no single instance`
  throw new CannotImport(`${problem}. Choose one with --instance: ${list}.`)
}

async function* everything(reading: Reading): AsyncGenerator<Item> {
  const { log, changed } = reading
  yield* tokenKeyDraft(reading)
  yield* webKeyDrafts(reading)
  yield* organizationDrafts(reading)
  if (!changed || changed.has('instance')) yield* instanceDrafts(reading)
  yield* settingsDrafts(reading)
  yield* textDrafts(reading)
  yield* providerDrafts(reading)
  yield* projectDrafts(reading)
  yield* grantDrafts(reading)
  yield* userDrafts(reading, 'human')
  yield* userDrafts(reading, 'machine')
  yield* groupDrafts(reading)
  yield* groupMemberDrafts(reading)
  yield* applicationDrafts(reading)
  yield* metadataDrafts(reading)
  yield* administratorDrafts(reading)
  yield* authorizationDrafts(reading)
  yield* brandingFileDrafts(reading)
  yield* avatarDrafts(reading)
  yield* targetDrafts(reading)
  if (!changed) yield* executionDrafts(reading)
  yield* leftBehind(log, changed)
}

/** Opens the first web key, or the first secret for one-time passwords: what does not open to its form shows the wrong key. */
async function testKeys(log: PeerLog, keys: KeyRing): Promise<void> {
  for await (const { id, isAlive, state } of fold(log, webKeys)) {
    if (!isAlive || !state.privateKey) continue
    parseWebKey(keys.open(state.privateKey, `the web key ${id}`), id)
    return
  }
  for await (const { id, state } of fold(log, { ...users, changes: only(users.changes, /otp/) })) {
    if (!state.totp) continue
    openTotpSecret(state.totp.secret, id, keys)
    return
  }
}

interface OpenLog {
  readonly log: PeerLog
  readonly keys: KeyRing
}

/** A snapshot of the chosen instance, and its keys. */
async function openLog({ url, masterKey, instance }: ZitadelOptions): Promise<OpenLog> {
  const log = await PeerLog.open(url)
  try {
    log.choose(chosen(await log.instances(), instance).id)
    const keys = new KeyRing(masterKey, await log.encryptionKeys())
    await testKeys(log, keys)
    return { log, keys }
  } catch (error) {
    await log.close()
    throw error
  }
}

/** Fewer users than names that are taken: the end of the log may be missing. */
async function* checkNames({ log, world }: Reading): AsyncGenerator<Item> {
  const names = await log.countUnique('usernames')
  if (world.userCount === undefined || names === world.userCount) return
  const counts = `The log has ${world.userCount} users, but ${names} user names are taken`
  yield remark('log', 'usernames', `${counts}: compare the users before you switch over.`)
}

/** Everything, or what changed since a mark. */
async function* readFrom({ log, keys }: OpenLog, since?: string): AsyncGenerator<Item> {
  if (since === undefined) {
    const reading = { log, keys, world: await readWorld(log) }
    yield* everything(reading)
    yield* checkNames(reading)
    return
  }
  const changed = await log.changedSince(since, READ_TYPES)
  if (changed.size > 0) yield* everything({ log, keys, changed, world: await lookUpWorld(log, changed) })
}

/** The instance of a ZITADEL that a database holds. The keys are tested before anything is read. */
export async function openZitadel(options: ZitadelOptions): Promise<Source> {
  let mark: string | undefined
  // Another connection each time: another snapshot.
  const withLog = async <Value>(ask: (open: OpenLog) => Promise<Value>): Promise<Value> => {
    const open = await openLog(options)
    return ask(open).finally(() => open.log.close())
  }
  async function* read(since?: string): AsyncGenerator<Item> {
    // Before the snapshot: whoever ends a transaction meanwhile is seen by it.
    mark = await withLog(({ log }) => log.mark())
    const open = await openLog(options)
    try {
      yield* readFrom(open, since)
    } finally {
      await open.log.close()
    }
  }
  const id = await withLog(async ({ log }) => {
    mark = await log.mark()
    return log.instanceId
  })
  return {
    name: 'zitadel',
    async *read() {
      for await (const item of read()) if (!('removed' in item)) yield item
    },
    changes: {
      id,
      mark: () => mark,
      read,
      async *readLast() {
        const { log, keys } = await openLog(options)
        try {
          yield* executionDrafts({ log, keys, world: await lookUpWorld(log, new Map()) })
        } finally {
          await log.close()
        }
      },
      behind: (since) => withLog(({ log }) => log.countSince(since, READ_TYPES)),
      isWritten: () => withLog(({ log }) => log.isWritten()),
    },
  }
}
