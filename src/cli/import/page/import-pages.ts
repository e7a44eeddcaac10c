/**
 * `/v2/import`: what the page "Import" of the console asks for. Files arrive in parts and are imported, or tried on a copy, by
 * the readers and the writer of `signet import`. Only who owns the instance may do any of it, because an import brings
 * administrators, keys and secrets.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { readFile, stat } from 'node:fs/promises'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import type { Authorize } from '../../../access/authorization.ts'
import { importRefusals, listImportMarks } from '../../../features/imports/index.ts'
import { apiPage, JSON_TYPE, jsonAnswer } from '../../../http/api-page.ts'
import { type Page, type PageRequest, type Pages, UnreadableForm } from '../../../http/page.ts'
import { type Fault, invalidFields, malformed, tooLarge } from '../../../http/protocols/errors.ts'
import { unsupportedType } from '../../../http/protocols/rest.ts'
import { isUnread } from '../../../kernel/import-report.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import { FILES, ImportFolder, type ImportState, isFile } from './import-folder.ts'
import type { ImportRun, RunOptions, RunParts } from './import-run.ts'

/** How much of a file one request has. */
const PART_BYTES = 4 * 1024 * 1024
/** All files together. */
const MOST_BYTES = 4 * 1024 ** 3
/** A larger report is fetched from the server. */
const MOST_REPORT_BYTES = 32 * 1024 ** 2
const SAVE_MS = 500

export interface ImportPagesOptions extends Omit<RunParts, 'folder'> {
  readonly authorize: Authorize
  /** The data folder. */
  readonly dataDir: string
  readonly log: (fault: Fault) => void
  readonly mostBytes?: number
}

/** The pages of one process. */
export interface ImportPages {
  readonly pages: Pages
  /** Ends what is running after what it is writing. */
  close(): Promise<void>
}

type Json = Readonly<Record<string, unknown>>

function unreadable(maxBytes: number, type: string) {
  return (error: unknown) => {
    if (!(error instanceof UnreadableForm)) throw error
    if (error.status === 400) throw malformed('The body is not JSON.')
    throw error.status === 413 ? tooLarge(maxBytes) : unsupportedType(type)
  }
}

function textOf(body: Json, field: string, most: number): string | undefined {
  const value = body[field]
  if (value === undefined || value === '') return undefined
  if (typeof value === 'string' && value.length <= most) return value
  throw invalidFields([{ field, description: `must be a text of at most ${most} characters` }])
}

async function optionsOf(request: PageRequest): Promise<RunOptions> {
  const given = await request.readJson().catch(unreadable(16 * 1024, JSON_TYPE))
  const body = (typeof given === 'object' && given !== null ? given : {}) as Json
  const { dryRun: isDryRun } = body
  if (typeof isDryRun !== 'boolean') throw invalidFields([{ field: 'dryRun', description: 'must be true or false' }])
  const as = textOf(body, 'as', 20) ?? 'organization'
  if (as !== 'organization' && as !== 'instance')
    throw invalidFields([{ field: 'as', description: 'must be organization or instance' }])
  const [oldUrl, name, passphrase] = [
    textOf(body, 'oldUrl', 2048),
    textOf(body, 'name', 200),
    textOf(body, 'passphrase', 1024),
  ]
  return {
    isDryRun,
    as,
    ...(oldUrl !== undefined && { oldUrl }),
    ...(name !== undefined && { name }),
    ...(passphrase !== undefined && { passphrase }),
  }
}

function bytesOf(query: URLSearchParams, field: string): number {
  const number = Number(query.get(field) || Number.NaN)
  if (Number.isSafeInteger(number) && number >= 0) return number
  throw invalidFields([{ field, description: 'must be a number of bytes' }])
}

/** The name of a file where it comes from, as one line. */
function shownName(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').slice(0, 200)
}

class Importing {
  readonly #app: App
  readonly #folder: ImportFolder
  readonly #dryRun: RunParts['dryRun']
  /** Where nothing of a request is known: an import continues after it. */
  readonly #outside = AsyncLocalStorage.snapshot()
  #run: ImportRun | undefined
  #running: Promise<void> | undefined

  constructor({ app, dryRun, dataDir, mostBytes = MOST_BYTES }: ImportPagesOptions) {
    this.#app = app
    this.#dryRun = dryRun
    this.#folder = new ImportFolder(dataDir, mostBytes)
  }

  tidy(): Promise<void> {
    return this.#folder.tidy()
  }

  /** What the page shows. */
  async state() {
    const state = await this.#folder.state()
    // Until the lock is free again, it is not over.
    const run = this.#run?.progress ?? state.run
    const isOver = run?.status === 'running' && this.#run === undefined && (await this.#isFree())
    const marks = await listImportMarks(this.#app)
    return {
      ...state,
      ...(run !== undefined && { run: isOver ? { ...run, status: 'stopped' } : run }),
      partBytes: PART_BYTES,
      followed: marks.map(({ source, isComplete, problems }) => ({ source, isComplete, problems })),
    }
  }

  async #isFree(): Promise<boolean> {
    return this.#folder.exclusively(async () => true).catch(() => false)
  }

  async receive(request: PageRequest) {
    const { query } = request
    const [product, part] = [query.get('product') ?? '', query.get('part') ?? '']
    if (!isFile(product, part)) throw refused(importRefusals, 'import.file_unknown')
    const [offset, size] = [bytesOf(query, 'offset'), bytesOf(query, 'size')]
    const bytes = await request.readBytes(PART_BYTES).catch(unreadable(PART_BYTES, 'application/octet-stream'))
    const name = shownName(query.get('name') ?? '')
    const file = { part, name, size }
    const append = async () => {
      await this.#requireRead(false)
      return this.#folder.append(product, file, offset, bytes)
    }
    return { bytes: await this.#folder.exclusively(append) }
  }

  clear(): Promise<void> {
    return this.#folder.exclusively(async () => {
      await this.#requireRead(false)
      await this.#folder.clear()
    })
  }

  /** An administrator has read what the last run says must be decided. */
  read(): Promise<void> {
    return this.#folder.exclusively(() =>
      this.#folder.change(({ run, ...state }) => ({
        ...state,
        ...(run !== undefined && { run: { ...run, isRead: true } }),
      })),
    )
  }

  /** Nobody goes past a run without having read what it says must be decided. */
  async #requireRead(ofDryRun: boolean): Promise<void> {
    const { run } = await this.#folder.state()
    if (run?.isDryRun === ofDryRun && isUnread(run)) throw refused(importRefusals, 'import.unread')
  }

  /** Begins; the answer does not wait for the end. */
  async start(options: RunOptions): Promise<void> {
    const lock = await this.#folder.lock()
    let state: ImportState
    let run: ImportRun
    try {
      // Another run, a dry one too, would replace what an import says.
      await this.#requireRead(false)
      if (!options.isDryRun) await this.#requireRead(true)
      // The writer and the readers are loaded when they are needed.
      const { ImportRun: Opened } = await import('./import-run.ts')
      run = new Opened({ app: this.#app, folder: this.#folder, dryRun: this.#dryRun }, options)
      await this.#folder.forgetStop()
      state = await this.#folder.state()
      const [needed = ''] = state.product === undefined ? [] : Object.keys(FILES[state.product])
      const isComplete = state.files.every(({ bytes, size }) => bytes === size)
      if (!isComplete || !state.files.some(({ part }) => part === needed))
        throw refused(importRefusals, 'import.file_missing')
      await this.#folder.change((before) => ({ ...before, run: run.progress }))
    } catch (error) {
      lock.release()
      throw error
    }
    this.#run = run
    this.#running = this.#outside(() => this.#finish(run, state)).finally(() => {
      this.#run = undefined
      lock.release()
    })
  }

  async #finish(run: ImportRun, state: ImportState): Promise<void> {
    const save = async () => {
      await this.#folder.change((before) => ({ ...before, run: run.progress }))
      if (await this.#folder.isAskedToStop()) run.stop()
    }
    const timer = setInterval(() => void save().catch(() => {}), SAVE_MS)
    const ended = await run.finish(state).finally(() => clearInterval(timer))
    try {
      // What is imported has secrets, and nobody needs it any more.
      if (ended.status === 'done' && !ended.isDryRun) await this.#folder.removeFiles()
      await this.#folder.change((before) => ({ ...before, run: ended }))
    } catch (error) {
      this.#app.log.error({ error }, 'the state of an import could not be written')
    }
  }

  /** Ends the import, whichever process it runs in. */
  async stop(): Promise<void> {
    if ((await this.#folder.state()).run?.status !== 'running') return
    await this.#folder.askToStop()
    this.#run?.stop()
  }

  async close(): Promise<void> {
    this.#run?.stop()
    await this.#running
  }

  async report(): Promise<Uint8Array> {
    const size = (await stat(this.#folder.report).catch(() => undefined))?.size
    if (size === undefined) throw refused(importRefusals, 'import.report_missing')
    if (size > MOST_REPORT_BYTES) throw tooLarge(MOST_REPORT_BYTES)
    return readFile(this.#folder.report)
  }
}

/** Opens the pages. What an earlier process left is removed, unless another one is at it. */
export async function openImportPages(options: ImportPagesOptions): Promise<ImportPages> {
  const importing = new Importing(options)
  await importing.tidy()
  const method = { descriptor: AdminService.method.setDefaultLanguage }
  const page = (
    path: string,
    verbs: readonly string[],
    act: (request: PageRequest) => Promise<unknown>,
  ): [string, Page] => [
    path,
    apiPage(options, path, { method, verbs, answer: async (request) => jsonAnswer((await act(request)) ?? {}) }),
  ]
  const pages = new Map<string, Page>([
    page('/v2/import', ['GET', 'DELETE'], (request) =>
      request.method === 'DELETE' ? importing.clear() : importing.state(),
    ),
    page('/v2/import/files', ['POST'], (request) => importing.receive(request)),
    page('/v2/import/start', ['POST'], async (request) => importing.start(await optionsOf(request))),
    page('/v2/import/read', ['POST'], () => importing.read()),
    page('/v2/import/stop', ['POST'], () => importing.stop()),
    [
      '/v2/import/report',
      apiPage(options, '/v2/import/report', {
        method,
        verbs: ['GET'],
        answer: async () => ({
          status: 200,
          contentType: JSON_TYPE,
          body: await importing.report(),
          headers: { 'content-disposition': 'attachment; filename="import-report.json"' },
        }),
      }),
    ],
  ])
  return { pages, close: () => importing.close() }
}
