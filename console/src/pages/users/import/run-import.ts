/**
 * Sends a file to `POST /v2/users/import` in parts, one after the other: a browser reads no results while it still sends,
 * and the server stops to read when nobody reads its results. A part that did not get through is sent again.
 */

/** The result of one line, as the server answers it. */
export interface LineResult {
  readonly line: number
  readonly status: 'created' | 'exists' | 'failed'
  readonly userId?: string
  readonly error?: { readonly code: number; readonly id: string; readonly message: string }
}

export interface FailedLine {
  readonly result: LineResult
  /** The line as it was in the file. */
  readonly text: string
}

export interface ImportProgress {
  readonly lines: number
  readonly created: number
  readonly exists: number
  readonly failed: readonly FailedLine[]
  /** How much of the file is done, from 0 to 1. */
  readonly share: number
}

export const NO_PROGRESS: ImportProgress = { lines: 0, created: 0, exists: 0, failed: [], share: 0 }

const LINES_PER_PART = 200
const CHARACTERS_PER_PART = 500_000
const TRIES = 5
/** Codes of gRPC that end an import: the server cannot answer now, or the token has expired. */
const ENDS: readonly (number | undefined)[] = [14, 16]

export interface ImportOptions {
  readonly file: Pick<Blob, 'size' | 'stream'>
  readonly signal: AbortSignal
  /** Sends lines to the server. */
  post(lines: string, signal: AbortSignal): Promise<Response>
  /** Waits before a part is sent again. */
  pause?(): Promise<void>
  onProgress(progress: ImportProgress): void
}

function pauseTwoSeconds(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 2000))
}

/** The server did not take the file; nothing after the last progress was imported. */
export class ImportStopped extends Error {}

async function* linesOf(file: ImportOptions['file']): AsyncGenerator<string> {
  let rest = ''
  // The types of the DOM do not know that a stream of text can be iterated.
  const texts = file.stream().pipeThrough(new TextDecoderStream()) as unknown as AsyncIterable<string>
  for await (const text of texts) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

async function send(lines: readonly string[], { post, signal }: ImportOptions): Promise<LineResult[]> {
  const answer = await post(lines.map((line) => `${line}\n`).join(''), signal)
  const text = await answer.text()
  if (answer.ok) return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as LineResult]))
  if (answer.status === 429 || answer.status >= 500) return []
  throw new ImportStopped(messageIn(text) ?? String(answer.status))
}

/** The sentence of a refusal; undefined when it is not one of the server, but of a proxy before it. */
function messageIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { readonly message?: string }).message
  } catch {
    return undefined
  }
}

/** The results of one part. Lines without a result are sent again, which changes nothing about those that got through. */
async function importPart(lines: readonly string[], options: ImportOptions): Promise<LineResult[]> {
  const { pause = pauseTwoSeconds } = options
  const results: LineResult[] = []
  let sent = 0
  for (let tries = 0; sent < lines.length; tries++) {
    const answered = await send(lines.slice(sent), options).catch((error: unknown) => {
      if (options.signal.aborted || error instanceof ImportStopped) throw error
      return []
    })
    const end = answered.findIndex(({ error }) => ENDS.includes(error?.code))
    const kept = end === -1 ? answered : answered.slice(0, end)
    results.push(...kept.map((result) => ({ ...result, line: result.line + sent })))
    const last = kept.at(-1)?.line
    // The server says nothing about empty lines.
    sent = end === -1 && answered.length > 0 ? lines.length : sent + (last ?? 0)
    if (sent === lines.length) break
    if (kept.length > 0) tries = 0
    if (tries >= TRIES || lines.slice(sent).every((line) => line.trim() === '')) break
    await pause()
  }
  if (sent < lines.length && lines.slice(sent).some((line) => line.trim() !== '')) throw new ImportStopped('')
  return results
}

/** Imports a whole file, and tells how far it is after each part. */
export async function runImport(options: ImportOptions): Promise<void> {
  const { file, signal, onProgress } = options
  let progress = NO_PROGRESS
  let size = 0
  let part: string[] = []
  const flush = async () => {
    if (part.length === 0) return
    const before = progress.lines
    const results = await importPart(part, options)
    const failed = results
      .filter(({ status }) => status === 'failed')
      .map((result) => ({ result: { ...result, line: result.line + before }, text: part[result.line - 1] ?? '' }))
    const count = (status: LineResult['status']) => results.filter((result) => result.status === status).length
    progress = {
      lines: before + part.length,
      created: progress.created + count('created'),
      exists: progress.exists + count('exists'),
      failed: [...progress.failed, ...failed],
      share: Math.min(1, size / Math.max(1, file.size)),
    }
    part = []
    onProgress(progress)
  }
  let characters = 0
  for await (const line of linesOf(file)) {
    signal.throwIfAborted()
    part.push(line)
    size += line.length + 1
    characters += line.length
    if (part.length < LINES_PER_PART && characters < CHARACTERS_PER_PART) continue
    characters = 0
    await flush()
  }
  await flush()
  onProgress({ ...progress, share: 1 })
}
