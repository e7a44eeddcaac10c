/**
 * What the page "Import" of the console has uploaded, and what became of it. It is in a folder beside the database, so that
 * every process of the server sees it; the files have secrets in them and go as soon as they are imported, and at the start.
 */
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { importRefusals } from '../../../features/imports/index.ts'
import type { Product, Run, UploadedFile } from '../../../kernel/import-report.ts'
import { refused } from '../../../kernel/refusal.ts'
import { takeLock } from '../../folder-lock.ts'

/** The files of each product, the first is needed. These are names on the disk: no text of a caller gets there. */
export const FILES = {
  signet: { export: 'export.ndjson' },
  keycloak: { realm: 'realm.json' },
  auth0: {
    users: 'users.ndjson',
    clients: 'clients.json',
    connections: 'connections.json',
    hashes: 'hashes.ndjson',
    factors: 'factors.ndjson',
  },
} as const satisfies Readonly<Record<Product, Readonly<Record<string, string>>>>

export interface ImportState {
  readonly product?: Product
  readonly files: readonly UploadedFile[]
  readonly run?: Run
}

const STATE = 'state.json'
const REPORT = 'report.json'
const LOCK = 'lock'
const STOP = 'stop'
const NOTHING: ImportState = { files: [] }

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}

/** Whether there is such a file of such a product. */
export function isFile(product: string, part: string): product is Product {
  return Object.hasOwn(FILES, product) && Object.hasOwn(FILES[product as Product], part)
}

export class ImportFolder {
  readonly #folder: string
  readonly #mostBytes: number
  /** Writes to the state, one after the other. */
  #writing: Promise<unknown> = Promise.resolve()

  constructor(dataDir: string, mostBytes: number) {
    this.#folder = join(dataDir, 'import')
    this.#mostBytes = mostBytes
  }

  get report(): string {
    return join(this.#folder, REPORT)
  }

  pathOf(product: Product, part: string): string {
    return join(this.#folder, (FILES[product] as Readonly<Record<string, string>>)[part] ?? '')
  }

  async state(): Promise<ImportState> {
    try {
      return JSON.parse(await readFile(join(this.#folder, STATE), 'utf8')) as ImportState
    } catch (error) {
      // Nobody has uploaded anything, or a file that was damaged.
      if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return NOTHING
      throw error
    }
  }

  /** Changes the state; a crash leaves the old one or the new one. */
  async change(change: (state: ImportState) => ImportState): Promise<void> {
    const write = async () => {
      const next = join(this.#folder, `${STATE}.new`)
      await writeFile(next, JSON.stringify(change(await this.state())), { mode: 0o600 })
      await rename(next, join(this.#folder, STATE))
    }
    const written = this.#writing.then(write)
    this.#writing = written.catch(() => {})
    await written
  }

  /** Runs something that nobody else may do meanwhile; refused when an import is running. */
  async exclusively<Value>(act: () => Promise<Value>): Promise<Value> {
    const lock = await this.lock()
    try {
      return await act()
    } finally {
      lock.release()
    }
  }

  async lock(): Promise<{ release(): void }> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const lock = await takeLock(join(this.#folder, LOCK))
    if (lock === undefined) throw refused(importRefusals, 'import.running')
    return lock
  }

  /** Adds a part to a file. The first part of a file of another product removes what was there. */
  async append(
    product: Product,
    file: Omit<UploadedFile, 'bytes'>,
    offset: number,
    bytes: Uint8Array,
  ): Promise<number> {
    const before = await this.state()
    if (offset === 0 && before.product !== product) await this.removeFiles()
    const path = this.pathOf(product, file.part)
    const size = offset === 0 ? 0 : await this.#sizeOf(path)
    if (offset !== size) throw refused(importRefusals, 'import.file_moved')
    const all = await this.#bytesBeside(product, file.part)
    const total = size + bytes.length
    if (all + total > this.#mostBytes) {
      await this.removeFiles()
      throw refused(importRefusals, 'import.too_large')
    }
    try {
      const handle = await open(path, offset === 0 ? 'w' : 'a', 0o600)
      try {
        await handle.writeFile(bytes)
      } finally {
        await handle.close()
      }
    } catch (error) {
      if (codeOf(error) !== 'ENOSPC' && codeOf(error) !== 'EDQUOT') throw error
      await this.removeFiles()
      throw refused(importRefusals, 'import.no_space')
    }
    await this.change(({ files }) => ({
      product,
      files: [...files.filter(({ part }) => part !== file.part), { ...file, bytes: total }],
    }))
    return total
  }

  async #sizeOf(path: string): Promise<number> {
    try {
      return (await stat(path)).size
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return 0
      throw error
    }
  }

  async #bytesBeside(product: Product, part: string): Promise<number> {
    const { files, ...state } = await this.state()
    if (state.product !== product) return 0
    return files.filter((file) => file.part !== part).reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Asks whichever process is importing to end. */
  askToStop(): Promise<void> {
    return writeFile(join(this.#folder, STOP), '', { mode: 0o600 })
  }

  async isAskedToStop(): Promise<boolean> {
    return (await stat(join(this.#folder, STOP)).catch(() => undefined)) !== undefined
  }

  forgetStop(): Promise<void> {
    return rm(join(this.#folder, STOP), { force: true })
  }

  /** Removes what was uploaded; what became of it stays. */
  async removeFiles(): Promise<void> {
    for (const names of Object.values(FILES)) {
      for (const name of Object.values(names)) {
        for (const end of ['', '.gz']) await rm(join(this.#folder, `${name}${end}`), { force: true })
      }
    }
    await this.change((state) => ({ ...(state.run && { run: state.run }), files: [] }))
  }

  /** Removes everything. */
  async clear(): Promise<void> {
    await this.removeFiles()
    await rm(this.report, { force: true })
    await this.change(() => NOTHING)
  }

  /** After the start of the server: an import that it interrupted is over, and nothing of an upload is left. */
  async tidy(): Promise<void> {
    const exists = await stat(this.#folder).catch(() => undefined)
    if (exists === undefined) return
    const lock = await takeLock(join(this.#folder, LOCK))
    if (lock === undefined) return
    try {
      await this.removeFiles()
    } finally {
      lock.release()
    }
  }
}
