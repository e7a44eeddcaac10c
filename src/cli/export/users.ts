/** `signet export`: human users as lines, or rows of CSV, that `signet import` accepts. */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../../config/index.ts'
import { userMetadata } from '../../features/metadata/index.ts'
import { passwords } from '../../features/passwords/index.ts'
import { type HumanUser, type User, users } from '../../features/users/index.ts'
import { exportColumns, type UserBody, writeHeader, writeRow } from '../../kernel/csv/user-columns.ts'
import { Ahead, currentDocuments, isBefore, type Snapshot } from '../../store/transfer/index.ts'
import { isCsv } from '../import/csv.ts'
import { describeProgress } from '../progress.ts'
import { openSnapshot, type Reporting, withProgress } from '../transfer.ts'

export interface ExportOptions {
  /** Only the users of this organization. */
  readonly organization?: string
  /** Also the hashes of passwords. */
  readonly withHashes?: boolean
}

interface Row {
  readonly id: string
  readonly owner: string
  readonly state: string
  readonly gone: boolean
}

/** Moves to the first row whose user is not before this one. */
async function advance(rows: Ahead<Row>, userId: string, userOf: (id: string) => string): Promise<Row | undefined> {
  while (rows.current !== undefined && isBefore(userOf(rows.current.id), userId)) await rows.next()
  return rows.current !== undefined && userOf(rows.current.id) === userId ? rows.current : undefined
}

function ownId(id: string): string {
  return id
}

/** Metadata has the user before the first space. */
function userOfMetadata(id: string): string {
  return id.slice(0, id.indexOf(' '))
}

async function hashOf(rows: Ahead<Row>, userId: string): Promise<object> {
  const row = await advance(rows, userId, ownId)
  if (row === undefined || row.gone) return {}
  const state = JSON.parse(row.state) as { secret?: { hash: string }; changeRequired?: boolean }
  if (state.secret === undefined) return {}
  const { changeRequired = false } = state
  return { hashedPassword: { hash: state.secret.hash, ...(changeRequired && { changeRequired }) } }
}

async function metadataOf(rows: Ahead<Row>, userId: string): Promise<object> {
  const entries: object[] = []
  for (let row = await advance(rows, userId, userOfMetadata); row !== undefined; ) {
    const { key, value } = JSON.parse(row.state) as { key?: string; value?: string }
    if (!row.gone && key !== undefined && value !== undefined) entries.push({ key, value })
    await rows.next()
    row = await advance(rows, userId, userOfMetadata)
  }
  return entries.length === 0 ? {} : { metadata: entries }
}

function lineOf(id: string, owner: string, user: HumanUser): object {
  const { profile, email, phone } = user
  const { firstName, lastName, nickName, displayName, preferredLanguage, gender } = profile
  return {
    userId: id,
    username: user.userName,
    organization: { orgId: owner },
    state: user.status,
    profile: {
      givenName: firstName,
      familyName: lastName,
      ...(nickName !== '' && { nickName }),
      ...(displayName !== '' && { displayName }),
      ...(preferredLanguage !== '' && { preferredLanguage }),
      ...(gender !== 'unspecified' && { gender: `GENDER_${gender.toUpperCase()}` }),
    },
    email: { email: email.address, ...(email.isVerified && { isVerified: true }) },
    ...(phone !== undefined && { phone: { phone: phone.number, ...(phone.isVerified && { isVerified: true }) } }),
  }
}

interface Count {
  users: number
  read: number
}

/** The request bodies that would create the users again. */
async function* bodiesOf(snapshot: Snapshot, options: ExportOptions, count: Count): AsyncGenerator<UserBody> {
  const hashes = new Ahead<Row>(currentDocuments(snapshot, passwords))
  const metadata = new Ahead<Row>(currentDocuments(snapshot, userMetadata))
  if (options.withHashes === true) await hashes.next()
  await metadata.next()
  for await (const { id, owner, state, gone } of currentDocuments(snapshot, users)) {
    count.read += 1
    const user = JSON.parse(state) as User
    if (gone || !('type' in user) || user.type !== 'human') continue
    if (options.organization !== undefined && owner !== options.organization) continue
    const secret = options.withHashes === true ? await hashOf(hashes, id) : {}
    count.users += 1
    yield { ...lineOf(id, owner, user), ...secret, ...(await metadataOf(metadata, id)) }
  }
}

async function* linesOf(snapshot: Snapshot, options: ExportOptions, count: Count): AsyncGenerator<string> {
  for await (const { state: _, ...body } of bodiesOf(snapshot, options, count)) yield `${JSON.stringify(body)}\n`
}

/** The columns depend on the keys of metadata, hence one look at them before the first row. */
async function* rowsOf(snapshot: Snapshot, options: ExportOptions, count: Count): AsyncGenerator<string> {
  const keys = new Set<string>()
  for await (const { owner, state, gone } of currentDocuments(snapshot, userMetadata)) {
    const { key } = JSON.parse(state) as { key?: string }
    const isWanted = options.organization === undefined || owner === options.organization
    if (!gone && key !== undefined && isWanted) keys.add(key)
  }
  const columns = exportColumns(keys)
  yield writeHeader(columns)
  for await (const body of bodiesOf(snapshot, options, count)) yield writeRow(columns, body)
}

/** Writes the users to a file that only its owner may read; answers how many there were. */
export async function exportUsers(
  config: Config,
  file: string,
  options: ExportOptions,
  reporting: Reporting,
): Promise<number> {
  const snapshot = await openSnapshot(config)
  const count = { users: 0, read: 0 }
  const textsOf = isCsv(file) ? rowsOf : linesOf
  try {
    const target = createWriteStream(file, { mode: 0o600 })
    await withProgress(
      reporting,
      (seconds) => describeProgress(count.read, snapshot.eventCount, 'documents and events', seconds),
      () => pipeline(Readable.from(textsOf(snapshot, options, count)), target),
    )
    return count.users
  } finally {
    await snapshot.close()
  }
}
