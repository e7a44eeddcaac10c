/**
 * The form of a backup: a line that says what it is, then the log and the jobs as lines of JSON, compressed with zstd and
 * encrypted if a key is given. The last line has the number of lines and a checksum of all before it, so that a file that
 * was cut short or changed is not taken for a backup.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { ROWS_AT_ONCE } from '../streams.ts'
import { decryptFrames, encryptFrames } from './encryption.ts'
import { DatabaseRefused, type EventLine, type JobLine, type Snapshot } from './types.ts'

const FORMAT = 'signet-backup'
const VERSION = 1
const MAX_HEADER_BYTES = 4096

/** What the first line says; it is neither compressed nor encrypted. */
export interface BackupHeader {
  readonly format: typeof FORMAT
  readonly version: number
  readonly createdAt: string
  readonly engine: 'sqlite' | 'postgres'
  readonly sequence: number
  readonly events: number
  readonly jobs: number
  readonly isEncrypted: boolean
}

/** What was copied so far. */
export interface Copied {
  events: number
  jobs: number
}

async function* linesOf(snapshot: Snapshot, copied: Copied): AsyncGenerator<string> {
  const hash = createHash('sha256')
  for await (const events of snapshot.events()) {
    const text = events.map((event) => `${JSON.stringify(['e', ...event])}\n`).join('')
    hash.update(text)
    copied.events += events.length
    yield text
  }
  for await (const jobs of snapshot.jobs()) {
    const text = jobs.map((job) => `${JSON.stringify(['j', ...job])}\n`).join('')
    hash.update(text)
    copied.jobs += jobs.length
    yield text
  }
  yield `${JSON.stringify(['end', copied.events, copied.jobs, hash.digest('base64url')])}\n`
}

/** Writes a backup beside its name and renames it when it is complete and on the disk. */
export async function writeBackup(
  snapshot: Snapshot,
  file: string,
  { key, copied }: { readonly key?: Uint8Array | undefined; readonly copied: Copied },
): Promise<BackupHeader> {
  const header: BackupHeader = {
    format: FORMAT,
    version: VERSION,
    createdAt: new Date().toISOString(),
    engine: snapshot.engine,
    sequence: snapshot.sequence,
    events: snapshot.eventCount,
    jobs: snapshot.jobCount,
    isEncrypted: key !== undefined,
  }
  const first = `${JSON.stringify(header)}\n`
  const part = `${file}.part`
  const handle = await open(part, 'w', 0o600)
  try {
    await handle.write(first)
    const target = createWriteStream('', { fd: handle.fd, autoClose: false, start: Buffer.byteLength(first) })
    const source = Readable.from(linesOf(snapshot, copied), { objectMode: false })
    // The header is authenticated with the first frame, so that it cannot be exchanged.
    if (key === undefined) await pipeline(source, createZstdCompress(), target)
    else await pipeline(source, createZstdCompress(), encryptFrames(key, first), target)
    await handle.sync()
  } catch (error) {
    await rm(part, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  await rename(part, file)
  return header
}

/**
 * Reads the first line of a backup. With a key, only a file that was encrypted with one is accepted: everybody can write
 * one that is not, and it decides who may sign in.
 */
export async function readHeader(
  file: string,
  key: Uint8Array | undefined,
): Promise<{ readonly header: BackupHeader; readonly line: string }> {
  const handle = await open(file, 'r').catch(() => {
    throw new DatabaseRefused(`${file} cannot be read.`)
  })
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_HEADER_BYTES), 0, MAX_HEADER_BYTES, 0)
    const end = buffer.subarray(0, bytesRead).indexOf('\n')
    const line = buffer.subarray(0, end + 1).toString('utf8')
    const header = JSON.parse(line) as BackupHeader
    if (header.format !== FORMAT) throw new Error('another format')
    if (header.version > VERSION) {
      throw new DatabaseRefused(`${file} was written by a newer version of Signet. Use that version.`)
    }
    if (header.isEncrypted !== true && key !== undefined) {
      throw new DatabaseRefused(
        `${file} is not encrypted, although SIGNET_BACKUP_KEY is set. Unset it to load a file whose origin you are sure of.`,
      )
    }
    if (header.isEncrypted && key === undefined) {
      throw new DatabaseRefused(`${file} is encrypted. Set SIGNET_BACKUP_KEY to the key it was made with.`)
    }
    return { header, line }
  } catch (error) {
    if (error instanceof DatabaseRefused) throw error
    throw new DatabaseRefused(`${file} is not a backup of Signet.`)
  } finally {
    await handle.close()
  }
}

/** The lines of a stream of text; what is after the last line break is not one. */
async function* splitLines(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let kept = ''
  for await (const chunk of stream) {
    const lines = (kept + decoder.decode(chunk, { stream: true })).split('\n')
    kept = lines.pop() ?? ''
    yield* lines
  }
}

/** A portion of a backup. */
export type BackupPart =
  | { readonly type: 'events'; readonly lines: readonly EventLine[] }
  | { readonly type: 'jobs'; readonly lines: readonly JobLine[] }

/** The portions of a backup; throws when the file is damaged, was cut short, or the key is not the one it needs. */
export async function* readBackup(file: string, key?: Uint8Array): AsyncGenerator<BackupPart> {
  const { line } = await readHeader(file, key)
  const body = createReadStream(file, { start: Buffer.byteLength(line) })
  const zstd = createZstdDecompress()
  const reading = key === undefined ? pipeline(body, zstd) : pipeline(body, decryptFrames(key, line), zstd)
  const damaged = () => new DatabaseRefused(`${file} is damaged, or its key is another one.`)
  // It is awaited at the end; a failure before that reaches the loop as well.
  reading.catch(() => {})
  const hash = createHash('sha256')
  let events: EventLine[] = []
  const jobs: JobLine[] = []
  let isComplete = false
  const count = { events: 0, jobs: 0 }
  try {
    for await (const text of splitLines(zstd)) {
      const [type, ...values] = JSON.parse(text) as [string, ...unknown[]]
      if (type === 'end') {
        isComplete = values[0] === count.events && values[1] === count.jobs && values[2] === hash.digest('base64url')
        continue
      }
      if (isComplete) throw damaged()
      hash.update(`${text}\n`)
      if (type === 'e') {
        count.events += 1
        if (events.push(values as unknown as EventLine) >= ROWS_AT_ONCE) {
          yield { type: 'events', lines: events }
          events = []
        }
      } else {
        count.jobs += 1
        jobs.push(values as unknown as JobLine)
      }
    }
    await reading
  } catch {
    throw damaged()
  } finally {
    body.destroy()
  }
  if (!isComplete) throw damaged()
  if (events.length > 0) yield { type: 'events', lines: events }
  if (jobs.length > 0) yield { type: 'jobs', lines: jobs }
}
