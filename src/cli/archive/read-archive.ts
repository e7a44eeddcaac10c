/** Reads an export. Everything is checked before anything is believed. */
import { createReadStream } from 'node:fs'
import type { Draft } from '../../module/carried.ts'
import { OBJECT_ORDER } from '../carriers.ts'
import type { Remark } from '../import/draft.ts'
import { CannotImport } from '../import/import.ts'
import { meaningOf } from '../setting-refused.ts'
import { type ArchiveEnd, type ArchiveHeader, Chain, FORMAT, LONGEST_LINE, sealPlace, VERSION } from './format.ts'
import { type ArchiveKeys, deriveKeys, isDerivation, plainCheckOf } from './passphrase.ts'
import { joinSecrets, needsSecret } from './secret-members.ts'

type Members = Readonly<Record<string, unknown>>

export interface Archive {
  readonly header: ArchiveHeader
  readonly end: ArchiveEnd
  /** The objects, in the order in which they are written. */
  read(): AsyncGenerator<Draft | { readonly remark: Remark }>
}

/** The lines of a file, without line breaks. Memory holds one of them. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let parts: Buffer[] = []
  let length = 0
  let number = 1
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      let at = 0
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, at)) {
        parts.push(chunk.subarray(at, end))
        yield Buffer.concat(parts).toString('utf8')
        parts = []
        length = 0
        number++
        at = end + 1
      }
      parts.push(chunk.subarray(at))
      length += chunk.length - at
      if (length > LONGEST_LINE) throw new CannotImport(`${file}, line ${number}: the line is too long.`)
    }
  } catch (error) {
    if (error instanceof CannotImport || (error as NodeJS.ErrnoException).code === undefined) throw error
    throw new CannotImport(`${file} ${meaningOf(error)}.`)
  }
  if (length > 0) throw new CannotImport(`${file}, line ${number}: the file was cut short in this line.`)
}

function parsed(line: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined
  } catch {
    return undefined
  }
}

async function readHeader(file: string): Promise<ArchiveHeader> {
  for await (const line of linesOf(file)) {
    const header = parsed(line)
    if (header?.format !== FORMAT) throw new CannotImport(`${file} is not an export of Signet.`)
    if (typeof header.version !== 'number' || header.version > VERSION) {
      throw new CannotImport(`${file} was written by a newer version of Signet. Use that version.`)
    }
    if (header.passphrase !== null && !isDerivation(header.passphrase)) {
      throw new CannotImport(`${file}, line 1: the key derivation is not one that this version knows.`)
    }
    return header as unknown as ArchiveHeader
  }
  throw new CannotImport(`${file} is empty.`)
}

/** The checked objects of all lines but the first and the last; returns the last. */
async function* checkedLines(file: string, keys: ArchiveKeys | undefined): AsyncGenerator<Members, ArchiveEnd> {
  const chain = new Chain(keys?.checkOf ?? plainCheckOf)
  let number = 0
  let end: ArchiveEnd | undefined
  for await (const line of linesOf(file)) {
    number++
    if (end !== undefined) throw new CannotImport(`${file}, line ${number}: there is something after the last line.`)
    const object = chain.objectOf(line)
    if (object === undefined) {
      const isFirst = number === 1 && keys !== undefined
      const reason = isFirst
        ? 'the passphrase is wrong, or the line was changed'
        : 'the line was changed, moved or left out'
      throw new CannotImport(`${file}, line ${number}: ${reason}. Nothing was imported.`)
    }
    if (number === 1) continue
    if (object.end === true) end = object as unknown as ArchiveEnd
    else yield object
  }
  if (end === undefined) {
    throw new CannotImport(
      `${file}, after line ${number}: the file was cut short, its last line is missing. Nothing was imported.`,
    )
  }
  return end
}

const KINDS: ReadonlySet<unknown> = new Set(OBJECT_ORDER)

function isDraft({ kind, id, organizationId, createdAt, changedAt }: Members): boolean {
  const isTime = (value: unknown) => Number.isSafeInteger(value)
  return (
    KINDS.has(kind) &&
    typeof id === 'string' &&
    typeof organizationId === 'string' &&
    isTime(createdAt) &&
    isTime(changedAt)
  )
}

/** The draft of a line with its secrets, and what is said about those that were left out. */
function* draftsOf(object: Members, keys: ArchiveKeys | undefined): Generator<Draft | { readonly remark: Remark }> {
  const { sealed, withoutSecrets, ...open } = object
  const { kind, id } = open as unknown as Draft
  if (Array.isArray(withoutSecrets) && withoutSecrets.length > 0) {
    const isNothing = withoutSecrets.some((member) => needsSecret(kind, String(member)))
    yield { remark: { kind, id, reason: `The export has no secrets: ${withoutSecrets.join(', ')} is missing.` } }
    if (isNothing) return
  }
  const text = typeof sealed === 'string' ? keys?.open(sealPlace(kind, id), sealed) : '{}'
  if (text === undefined) throw new CannotImport(`The secrets of ${kind} ${id} do not open.`)
  yield joinSecrets(kind, open, JSON.parse(text) as Members) as unknown as Draft
}

/** Opens an export and checks all of it. Throws with the line that is wrong. */
export async function openArchive(file: string, passphrase: () => Promise<string>): Promise<Archive> {
  const header = await readHeader(file)
  const keys = header.passphrase === null ? undefined : await deriveKeys(await passphrase(), header.passphrase)
  const lines = checkedLines(file, keys)
  let number = 1
  for (;;) {
    const { value, done } = await lines.next()
    number++
    if (done === true) {
      if (value.lines !== number - 2) throw new CannotImport(`${file}, line ${number}: the number of lines is wrong.`)
      return { header, end: value, read: () => readDrafts(file, keys) }
    }
    if (!isDraft(value)) throw new CannotImport(`${file}, line ${number}: this version does not know such an object.`)
  }
}

async function* readDrafts(file: string, keys: ArchiveKeys | undefined) {
  for await (const object of checkedLines(file, keys)) yield* draftsOf(object, keys)
}
