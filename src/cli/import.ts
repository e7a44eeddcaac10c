/** `signet import users.ndjson`: sends a file of people to a running server and keeps account of every line. */
import { createWriteStream } from 'node:fs'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { externalUrl } from '../config/external-url.ts'
import type { Config } from '../config/index.ts'
import { groupDigits, type ImportMoment, showProgress } from './import-progress.ts'
import { forgetPlace, type ImportCounts, type ImportPlace, loadPlace, savePlace } from './import-state.ts'
import { type LineResult, type UploadEnd, uploadFile } from './import-upload.ts'

/** What stands on the command line. */
export interface ImportFlags {
  readonly url?: string
  readonly tokenFile?: string
  readonly organization?: string
  readonly resume?: boolean
}

export interface ImportOptions {
  readonly config: Config
  readonly file: string
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

async function readToken({ token, dataDir }: Config, tokenFile: string | undefined): Promise<string> {
  if (tokenFile === undefined && token !== undefined) return token.reveal()
  const text = (await readFile(tokenFile ?? join(dataDir, 'admin.pat'), 'utf8')).trim()
  if (text === '' || /\s/.test(text)) throw new CannotImport('The token file must contain exactly one token.')
  return text
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.origin
  throw new CannotImport('The server URL must start with http:// or https://.')
}

function isLoopback(url: string): boolean {
  return /^(localhost|127\..*|\[::1\])$/.test(new URL(url).hostname)
}

async function findStart(file: string, resume: boolean): Promise<ImportPlace> {
  if (!resume) return START
  const place = await loadPlace(file)
  if (place !== 'changed') return place ?? START
  throw new CannotImport(
    'The file has changed since the import started. Run the import without --resume; existing users are not changed.',
  )
}

/** Imports a file; the exit code: 0 all lines are done, 1 some failed. */
export async function importFile({ config, file, options, say, complain }: ImportOptions): Promise<number> {
  const url = readUrl(options.url ?? externalUrl(config, config.listen.port))
  const token = await readToken(config, options.tokenFile)
  const { size } = await stat(file)
  const start = await findStart(file, options.resume ?? false)
  if (url.startsWith('http:') && !isLoopback(url))
    complain(`the connection to ${url} is not encrypted: the token and the user data are sent in plain text`)

  const startedAt = performance.now()
  const counts: ImportCounts = { ...start.counts }
  let place: ImportPlace = start
  const failedFile = `${file}.failed`
  const failures = createWriteStream(failedFile, { flags: start.line === 0 ? 'w' : 'a', mode: 0o600 })
  const written = finished(failures)
  written.catch(() => {})

  const ending = new AbortController()
  const onSignal = () => ending.abort()
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  const moment = (): ImportMoment => ({
    counts,
    offset: place.offset,
    size,
    seconds: (performance.now() - startedAt) / 1000,
    lines: place.line - start.line,
    bytes: place.offset - start.offset,
  })
  const progress = showProgress(process.stderr, moment)
  let isSaving = false
  const save = async () => {
    if (isSaving) return
    isSaving = true
    await savePlace(file, { ...place, counts: { ...counts } }).finally(() => {
      isSaving = false
    })
  }
  const saving = setInterval(() => void save().catch(() => {}), SAVE_MS)

  const upload = (): Promise<UploadEnd> => {
    const before = place
    const onResult = (result: LineResult, offset: number) => {
      const line = before.line + result.line
      place = { line, offset, counts }
      counts[result.status]++
      if (result.status === 'failed') failures.write(`${JSON.stringify({ ...result, line })}\n`)
    }
    const { signal } = ending
    const { organization: organizationId } = options
    return uploadFile({ url, token, organizationId, file, offset: before.offset, signal, onResult })
  }

  const uploadAll = async (): Promise<void> => {
    for (let fruitless = 0; ; ) {
      const { line } = place
      const end = await upload()
      if (end.type === 'complete') return
      if (ending.signal.aborted) throw new CannotImport('Interrupted.')
      if (end.type === 'refused') throw new CannotImport(`The server rejected the import: ${end.reason}`)
      fruitless = place.line > line ? 0 : fruitless + 1
      if (fruitless === FRUITLESS_TRIES) throw new CannotImport(`The server is not reachable: ${end.reason}`)
      const seconds = 2 ** fruitless
      progress.note(
        `Interrupted after line ${groupDigits(place.line)}: ${end.reason.replace(/\.?$/, '.')} Retrying in ${seconds} s.`,
      )
      await sleep(seconds * 1000, undefined, { signal: ending.signal }).catch(() => {})
    }
  }

  try {
    await uploadAll()
    await forgetPlace(file)
  } catch (error) {
    if (place.line > 0) {
      await save()
      complain(`${groupDigits(place.line)} lines were processed; run the same command with --resume to continue`)
    }
    throw error
  } finally {
    clearInterval(saving)
    progress.stop()
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
    failures.end()
    await written
  }
  const { created, exists, failed } = counts
  const { seconds, lines } = moment()
  say(
    `${groupDigits(created)} created, ${groupDigits(exists)} already existed, ${groupDigits(failed)} failed` +
      ` (${seconds.toFixed(1)} s, ${groupDigits(lines / seconds)}/s).`,
  )
  if (failed > 0) say(`The failed lines and their errors are in ${failedFile}.`)
  else await rm(failedFile, { force: true })
  return failed > 0 ? 1 : 0
}
