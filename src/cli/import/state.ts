/** How far the import of a file has come, kept beside the file so that another run can continue from there. */
import { createHash } from 'node:crypto'
import { type FileHandle, open, readFile, rename, rm, writeFile } from 'node:fs/promises'

/** How many lines had which result. */
export interface ImportCounts {
  created: number
  exists: number
  failed: number
}

/** Everything before `offset` has been answered; it ends with line `line`. */
export interface ImportPlace {
  readonly line: number
  readonly offset: number
  readonly counts: Readonly<ImportCounts>
}

interface StoredPlace extends ImportPlace {
  readonly fingerprint: string
}

/** Enough of both ends of what was answered to tell this file from another, however long they are. */
const FINGERPRINT_BYTES = 64 * 1024

async function readPart(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start)
  return buffer.subarray(0, bytesRead)
}

/** Of the part before `offset` only: a file that has grown since can be gone on with. */
async function fingerprintOf(path: string, offset: number): Promise<string> {
  const file = await open(path)
  try {
    const length = Math.min(offset, FINGERPRINT_BYTES)
    const hash = createHash('sha256').update(await readPart(file, 0, length))
    return hash.update(await readPart(file, offset - length, length)).digest('hex')
  } finally {
    await file.close()
  }
}

function stateFile(path: string): string {
  return `${path}.state`
}

/** Writes down how far it has come; a crash leaves the old note or the new one. */
export async function savePlace(path: string, place: ImportPlace): Promise<void> {
  const stored: StoredPlace = { ...place, fingerprint: await fingerprintOf(path, place.offset) }
  await writeFile(`${stateFile(path)}.new`, `${JSON.stringify(stored)}\n`)
  await rename(`${stateFile(path)}.new`, stateFile(path))
}

/** Where an earlier import of this file stopped; `changed` when the file is another one now. */
export async function loadPlace(path: string): Promise<ImportPlace | 'changed' | undefined> {
  let text: string
  try {
    text = await readFile(stateFile(path), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const { line, offset, counts, fingerprint } = JSON.parse(text) as StoredPlace
  return fingerprint === (await fingerprintOf(path, offset)) ? { line, offset, counts } : 'changed'
}

/** The whole file has been answered. */
export function forgetPlace(path: string): Promise<void> {
  return rm(stateFile(path), { force: true })
}
