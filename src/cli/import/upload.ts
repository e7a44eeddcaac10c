/** One upload of a file to `POST /v2/users/import`: lines go out while their results come in. */
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { LineSplitter, NDJSON } from '../../http/import/ndjson.ts'
import type { Violation } from '../../kernel/refusal.ts'

/** What the server says about a line; `line` is counted from the beginning of the upload. */
export interface LineResult {
  readonly line: number
  readonly userId?: string
  readonly status: 'created' | 'exists' | 'failed'
  readonly error?: {
    readonly code: number
    readonly id: string
    readonly message: string
    readonly violations?: readonly Violation[]
  }
}

export interface UploadOptions {
  readonly url: string
  readonly token: string
  readonly organizationId: string | undefined
  readonly file: string
  /** Where in the file to begin. */
  readonly offset: number
  readonly signal: AbortSignal
  /** A line has its result; the part of the file up to and with it ends at `offset`. */
  onResult(result: LineResult, offset: number): void
}

export type UploadEnd =
  /** Every line was answered. */
  | { readonly type: 'complete' }
  /** The server, or the way to it, failed; another try may help. */
  | { readonly type: 'interrupted'; readonly reason: string }
  /** The server does not want it. */
  | { readonly type: 'refused'; readonly reason: string }

const MAX_RESULT_BYTES = 1024 * 1024
const LINE_FEED = 0x0a
/** gRPC codes of refusals that concern the import and not the line: unavailable, unauthenticated. */
const UNDONE_CODES: ReadonlySet<number> = new Set([14, 16])

/** Remembers where lines end until they are answered; as many as are on their way. */
function openLineEnds(start: number) {
  let ends: number[] = []
  let passed = 0
  let position = start
  return {
    note(piece: Buffer) {
      for (let at = piece.indexOf(LINE_FEED); at >= 0; at = piece.indexOf(LINE_FEED, at + 1)) {
        ends.push(position + at + 1)
      }
      position += piece.length
    },
    /** Where this line ends; the lines before it are forgotten. A last line without a break ends with the file. */
    endOf(line: number): number {
      const end = ends[line - passed - 1] ?? position
      // Seldom enough that moving the rest costs nothing.
      if (line - passed > 4096) {
        ends = ends.slice(line - passed)
        passed = line
      }
      return end
    },
  }
}

function openRequest({ url, token, organizationId, signal }: UploadOptions): ClientRequest {
  const target = new URL('/v2/users/import', url)
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': NDJSON,
    ...(organizationId === undefined ? {} : { 'x-service-orgid': organizationId }),
  }
  return (target.protocol === 'https:' ? requestHttps : requestHttp)(target, { method: 'POST', headers, signal })
}

async function readRefusal(response: IncomingMessage): Promise<UploadEnd> {
  const { statusCode = 0 } = response
  let text = ''
  for await (const piece of response.setEncoding('utf8')) if (text.length < MAX_RESULT_BYTES) text += piece
  let message = ''
  try {
    message = String((JSON.parse(text) as { message?: unknown }).message ?? '')
  } catch {
    // The answer does not come from Signet; only its status is used.
  }
  const reason = `${statusCode} ${message || (response.statusMessage ?? '')}`.trim()
  return { type: statusCode === 429 || statusCode >= 500 ? 'interrupted' : 'refused', reason }
}

/** Sends the rest of the file; results are handed on in the order of the lines. */
export async function uploadFile(options: UploadOptions): Promise<UploadEnd> {
  const { file, offset, onResult, signal } = options
  const ends = openLineEnds(offset)
  const source = createReadStream(file, { start: offset })
  const request = openRequest(options)
  let failure: Error | undefined
  request.on('error', (error) => {
    failure ??= error
    source.destroy()
  })

  const send = async (): Promise<void> => {
    const closed = once(request, 'close').catch(() => {})
    try {
      for await (const piece of source) {
        ends.note(piece as Buffer)
        if (!request.write(piece)) await Promise.race([once(request, 'drain', { signal }), closed])
        if (request.destroyed) return
      }
    } catch (error) {
      // Whatever stopped the sending is told by the answer; a file that cannot be read is told here.
      if (!source.destroyed || (error as NodeJS.ErrnoException).path !== undefined) failure ??= error as Error
    }
    request.end()
  }

  const receive = async (): Promise<UploadEnd> => {
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    if (response.statusCode !== 200) {
      source.destroy()
      return readRefusal(response)
    }
    let undone: string | undefined
    const take = (bytes: Buffer | undefined) => {
      const result = JSON.parse(bytes?.toString() ?? '') as LineResult
      if (undone === undefined && UNDONE_CODES.has(result.error?.code ?? 0)) {
        undone = result.error?.message ?? ''
        source.destroy()
      }
      // What comes after a line that must be sent again is sent again too: it will be there already.
      if (undone === undefined) onResult(result, ends.endOf(result.line))
    }
    const splitter = new LineSplitter(MAX_RESULT_BYTES)
    for await (const piece of response) for (const { bytes } of splitter.push(piece as Buffer)) take(bytes)
    if (undone !== undefined) return { type: 'interrupted', reason: undone }
    return { type: 'complete' }
  }

  const [end] = await Promise.all([
    receive().catch((error: Error): UploadEnd => ({ type: 'interrupted', reason: (failure ?? error).message })),
    send(),
  ])
  source.destroy()
  request.destroy()
  if (failure !== undefined && (failure as NodeJS.ErrnoException).path !== undefined) throw failure
  return end
}
