/** `signet import users.ndjson`: sends a file of people to a running server and keeps account of every line. */
import { createWriteStream, type WriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../config/index.ts'
import { groupDigits, showProgress } from '../progress.ts'
import { isUnprotected, readTarget, type ServerTarget, type TargetFlags } from '../server-target.ts'
import { meaningOf } from '../setting-refused.ts'
import { describeMoment, type ImportMoment } from './progress.ts'
import { forgetPlace, type ImportCounts, type ImportPlace, loadPlace, savePlace } from './state.ts'
import { type LineResult, type UploadEnd, uploadFile } from './upload.ts'

/** What stands on the command line. */
export interface ImportFlags extends TargetFlags {
  readonly organization?: string
  readonly resume?: boolean
  /** Only look whether a CSV file can be read. */
  readonly check?: boolean
  /** Leave out the rows of a CSV file that cannot be read. */
  readonly skipInvalid?: boolean
  /** The file is CSV, whatever its name is. */
  readonly csv?: boolean
  /** The product that wrote a CSV file. */
  readonly preset?: string
  /** A file that says what the columns of a CSV file mean. */
  readonly mapping?: string
}

export interface ImportOptions {
  readonly config: Config
  readonly file: string
  /** What the file with failed lines is named after; the file itself unless it was made from another one. */
  readonly named?: string
  readonly options: ImportFlags
  say(line: string): void
  complain(line: string): void
}

/** Why nothing, or no more, was imported; a sentence for the operator. */
export class CannotImport extends Error {
  override readonly name = 'CannotImport'
}

/** Tries in a row that bring nothing forward before it gives up. */
const FRUITLESS_TRIES = 6
const SAVE_MS = 1_000
const START: ImportPlace = { line: 0, offset: 0, counts: { created: 0, exists: 0, failed: 0 } }

async function findStart(file: string, resume: boolean): Promise<ImportPlace> {
  if (!resume) return START
  const place = await loadPlace(file)
  if (place !== 'changed') return place ?? START
  throw new CannotImport(
    'The file has changed since the import started. Run the import without --resume; existing users are not changed.',
  )
}

/** One run of an import: where it is, what it counted, and where it writes failed lines. */
class ImportRun {
  readonly counts: ImportCounts
  readonly failedFile: string
  readonly #options: ImportOptions
  readonly #target: ServerTarget
  readonly #start: ImportPlace
  readonly #size: number
  readonly #startedAt = performance.now()
  readonly #failures: WriteStream
  readonly #written: Promise<void>
  readonly #ending = new AbortController()
  #place: ImportPlace
  #saving: Promise<void> | undefined

  constructor(options: ImportOptions, target: ServerTarget, start: ImportPlace, size: number) {
    this.#options = options
    this.#target = target
    this.#start = start
    this.#size = size
    this.#place = start
    this.counts = { ...start.counts }
    this.failedFile = `${options.named ?? options.file}.failed`
    this.#failures = createWriteStream(this.failedFile, { flags: start.line === 0 ? 'w' : 'a', mode: 0o600 })
    this.#written = finished(this.#failures)
    this.#written.catch(() => {})
  }

  /** How far it is, for the progress line and the summary. */
  moment(): ImportMoment {
    return {
      counts: this.counts,
      offset: this.#place.offset,
      size: this.#size,
      seconds: (performance.now() - this.#startedAt) / 1000,
      lines: this.#place.line - this.#start.line,
      bytes: this.#place.offset - this.#start.offset,
    }
  }

  /** Uploads the file, and keeps its place when it is interrupted. */
  async run(): Promise<void> {
    const { file, complain } = this.#options
    const onSignal = () => this.#ending.abort()
    process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
    const progress = showProgress(process.stderr, () => describeMoment(this.moment()))
    const saving = setInterval(() => void (this.#saving ?? this.#save()).catch(() => {}), SAVE_MS)
    try {
      await this.#uploadAll((line) => progress.note(line))
      clearInterval(saving)
      // What is being saved would otherwise be there again after it was removed.
      await this.#saving?.catch(() => {})
      await forgetPlace(file)
    } catch (error) {
      if (this.#place.line > 0) {
        await this.#save()
        const lines = groupDigits(this.#place.line)
        complain(`${lines} lines were processed; run the same command with --resume to continue`)
      }
      throw error
    } finally {
      clearInterval(saving)
      progress.stop()
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
      this.#failures.end()
      await this.#written
    }
  }

  async #save(): Promise<void> {
    await this.#saving?.catch(() => {})
    this.#saving = savePlace(this.#options.file, { ...this.#place, counts: { ...this.counts } }).finally(() => {
      this.#saving = undefined
    })
    await this.#saving
  }

  #upload(): Promise<UploadEnd> {
    const before = this.#place
    const onResult = (result: LineResult, offset: number) => {
      const line = before.line + result.line
      this.#place = { line, offset, counts: this.counts }
      this.counts[result.status]++
      if (result.status === 'failed') this.#failures.write(`${JSON.stringify({ ...result, line })}\n`)
    }
    const { file, options } = this.#options
    const { signal } = this.#ending
    const { organization: organizationId } = options
    return uploadFile({ ...this.#target, organizationId, file, offset: before.offset, signal, onResult })
  }

  async #uploadAll(note: (line: string) => void): Promise<void> {
    const { signal } = this.#ending
    for (let fruitless = 0; ; ) {
      const { line } = this.#place
      const end = await this.#upload()
      if (end.type === 'complete') return
      if (signal.aborted) throw new CannotImport('Interrupted.')
      if (end.type === 'refused') throw new CannotImport(`The server rejected the import: ${end.reason}`)
      fruitless = this.#place.line > line ? 0 : fruitless + 1
      if (fruitless === FRUITLESS_TRIES) throw new CannotImport(`The server is not reachable: ${end.reason}`)
      const seconds = 2 ** fruitless
      const reason = end.reason.replace(/\.?$/, '.')
      note(`Interrupted after line ${groupDigits(this.#place.line)}: ${reason} Retrying in ${seconds} s.`)
      await sleep(seconds * 1000, undefined, { signal }).catch(() => {})
    }
  }
}

/** Imports a file; the exit code: 0 all lines are done, 1 some failed. */
export async function importFile(given: ImportOptions): Promise<number> {
  const { config, file, options, say, complain } = given
  const { size } = await stat(file).catch((error: unknown) => {
    throw new CannotImport(`${file} ${meaningOf(error)}.`)
  })
  const target = await readTarget(config, options)
  const start = await findStart(file, options.resume ?? false)
  if (isUnprotected(target.url))
    complain(`the connection to ${target.url} is not encrypted: the token and the user data are sent in plain text`)
  const run = new ImportRun(given, target, start, size)
  await run.run()
  const { created, exists, failed } = run.counts
  const { seconds, lines } = run.moment()
  say(
    `${groupDigits(created)} created, ${groupDigits(exists)} already existed, ${groupDigits(failed)} failed` +
      ` (${seconds.toFixed(1)} s, ${groupDigits(lines / seconds)}/s).`,
  )
  if (failed > 0) say(`The failed lines and their errors are in ${run.failedFile}.`)
  else await rm(run.failedFile, { force: true })
  return failed > 0 ? 1 : 0
}
