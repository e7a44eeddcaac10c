/** Checks a database against its own log: every document, claim and counter must be what the fold of its stream gives. */
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { datesOfStream } from '../arrival.ts'
import { type CountRow, countsOf, differingCounts, Tally } from '../counters.ts'
import { haveSameFields, rebuildFold } from '../fold.ts'
import type { AnyKind } from '../kind.ts'
import type { StoredEvent } from '../types.ts'
import { Ahead, isBefore } from './ahead.ts'
import type { Snapshot, StoredClaim, StoredDocument } from './types.ts'

/** What a check counted and found. */
export interface Verification {
  events: number
  documents: number
  claims: number
  /** SHA-256 of the whole log: two databases with the same one have the same log. */
  digest: string
  /** What is wrong, one sentence each; at most `MAX_PROBLEMS` of them. */
  readonly problems: string[]
}

const MAX_PROBLEMS = 100

function say(found: Verification, problem: string): void {
  if (found.problems.length < MAX_PROBLEMS) found.problems.push(problem)
}

async function checkLog(snapshot: Snapshot, kinds: readonly AnyKind[], found: Verification): Promise<void> {
  const hash = createHash('sha256')
  const counting = new Map(kinds.filter((kind) => kind.counts !== undefined).map((kind) => [kind.name, kind]))
  const counted = new Tally()
  let last = 0
  for await (const lines of snapshot.events()) {
    for (const line of lines) {
      // JSON text may differ in spaces; the value counts.
      const [sequence, kind, id, revision, type, data, actor, owner, at] = line
      if (sequence <= last) say(found, `The log is out of order at event ${sequence}.`)
      last = sequence
      const value: unknown = JSON.parse(data)
      hash.update(`${JSON.stringify([sequence, kind, id, revision, type, value, actor, owner, at])}\n`)
      const counts = counting.get(kind)
      if (counts !== undefined) counted.add(countsOf(counts, { type, data: value }, { owner, at }))
    }
    found.events += lines.length
  }
  if (last > snapshot.sequence) say(found, `The last event is ${last}, but the instance is at ${snapshot.sequence}.`)
  found.digest = hash.digest('base64url')
  const stored: CountRow[] = []
  for await (const rows of snapshot.counters()) stored.push(...rows)
  for (const problem of differingCounts(counted.take(), stored)) say(found, problem)
}

type Folded = ReturnType<ReturnType<typeof rebuildFold>>

/** Without `folded`, the state is not compared: only the program of that version can fold it. */
function differences(
  kind: AnyKind,
  document: StoredDocument,
  events: readonly StoredEvent[],
  folded: Folded | undefined,
) {
  const [first, last] = [events[0], events.at(-1)]
  const wrong: string[] = []
  // It is folded again before it is used.
  if (document.behind !== null && document.revision < 0) return document.behind === last?.sequence ? [] : ['mark']
  if (folded !== undefined && !isDeepStrictEqual(JSON.parse(document.state), JSON.parse(folded.state))) {
    wrong.push('state')
  }
  // Indexes have the fields of one state, readers get the other.
  if (document.indexed !== null && !haveSameFields(kind, JSON.parse(document.indexed), JSON.parse(document.state))) {
    wrong.push('fields in the indexes')
  }
  if (folded !== undefined && document.gone !== folded.gone) wrong.push('deletion')
  if (document.owner !== first?.owner) wrong.push('owner')
  if (document.revision !== last?.revision) wrong.push('revision')
  if (document.sequence !== last?.sequence) wrong.push('sequence')
  const dates = datesOfStream(events)
  if (document.createdAt !== dates?.createdAt || document.changedAt !== dates.changedAt) wrong.push('times')
  for (const [index, { revision }] of events.entries()) {
    if (revision !== index + 1) {
      wrong.push('gaps in the stream')
      break
    }
  }
  return wrong
}

interface ClaimCheck {
  readonly name: string
  readonly claims: Ahead<StoredClaim>
  /** Other versions may claim more than this one. */
  readonly mayHoldMore: boolean
}

async function checkClaims(
  found: Verification,
  { name, claims, mayHoldMore }: ClaimCheck,
  id: string,
  expected: readonly Omit<StoredClaim, 'id'>[],
): Promise<void> {
  const held: string[] = []
  while (claims.current !== undefined && isBefore(claims.current.id, id)) {
    say(found, `A claim of ${name} ${claims.current.id} belongs to no stream.`)
    await claims.next()
  }
  while (claims.current?.id === id) {
    held.push(`${claims.current.kind} ${claims.current.value}`)
    found.claims += 1
    await claims.next()
  }
  const wanted = expected.map(({ kind, value }) => `${kind} ${value}`).sort()
  const isRight = mayHoldMore ? wanted.every((claim) => held.includes(claim)) : isDeepStrictEqual(held.sort(), wanted)
  if (!isRight) say(found, `The claims of ${name} ${id} differ from its log.`)
}

/** Checks the documents of one version, and with `fold` their states and claims too. */
async function checkVersion(
  snapshot: Snapshot,
  kind: AnyKind,
  documentKind: string,
  found: Verification,
  compared: { readonly fold: ReturnType<typeof rebuildFold>; readonly mayHoldMore: boolean } | undefined,
): Promise<void> {
  const name = documentKind
  const documents = new Ahead(snapshot.documents(documentKind))
  const claims = new Ahead(snapshot.claims(kind))
  await documents.next()
  if (compared !== undefined) await claims.next()
  for await (const events of snapshot.streams(kind)) {
    const id = events[0]?.id ?? ''
    while (documents.current !== undefined && isBefore(documents.current.id, id)) {
      say(found, `The document ${name} ${documents.current.id} has no log.`)
      await documents.next()
    }
    const folded = compared?.fold(events)
    let isBehind = false
    if (documents.current?.id === id) {
      const wrong = differences(kind, documents.current, events, folded)
      if (wrong.length > 0) say(found, `The document ${name} ${id} differs from its log: ${wrong.join(', ')}.`)
      isBehind = documents.current.behind !== null
      found.documents += 1
      await documents.next()
    } else say(found, `The document ${name} ${id} is missing.`)
    if (compared === undefined || folded === undefined) continue
    // The claims of a document that is behind change with it.
    const mayHoldMore = compared.mayHoldMore || isBehind
    await checkClaims(found, { name: kind.name, claims, mayHoldMore }, id, isBehind ? [] : folded.claims)
  }
  for (; documents.current !== undefined; await documents.next()) {
    say(found, `The document ${name} ${documents.current.id} has no log.`)
  }
  for (; claims.current !== undefined; await claims.next()) {
    say(found, `A claim of ${kind.name} ${claims.current.id} belongs to no stream.`)
  }
}

async function checkKind(snapshot: Snapshot, kind: AnyKind, found: Verification): Promise<void> {
  const { name } = kind
  const versions = await snapshot.versions(kind)
  const own = versions.find(({ version, isReady }) => version === kind.version && isReady)
  const others = versions.filter((version) => version !== own)
  const [other] = others
  if (own === undefined && other !== undefined) {
    say(found, `The documents of ${name} were folded by version ${other.version}, this Signet has ${kind.version}.`)
    return
  }
  const compared = { fold: rebuildFold(kind), mayHoldMore: others.length > 0 }
  await checkVersion(snapshot, kind, own?.documentKind ?? name, found, compared)
  for (const { documentKind, isReady } of others) {
    if (isReady) await checkVersion(snapshot, kind, documentKind, found, undefined)
  }
}

/** An empty result, which `verify` fills while it works. */
export function newVerification(): Verification {
  return { events: 0, documents: 0, claims: 0, digest: '', problems: [] }
}

/** Folds the whole log and compares; what was found so far can be read from `found` meanwhile. */
export async function verify(snapshot: Snapshot, kinds: readonly AnyKind[], found: Verification): Promise<void> {
  await checkLog(snapshot, kinds, found)
  for (const kind of kinds) await checkKind(snapshot, kind, found)
}
