/** Reads a form with a file (RFC 7578), up to a size that the route names. */
import type { Exchange } from './exchange.ts'
import { mediaType } from './protocols/content-type.ts'
import { Failed } from './protocols/errors.ts'
import { UnreadableForm } from './unreadable-form.ts'

/** The fields of a form, and the file that was sent with it. */
export interface Upload {
  readonly fields: URLSearchParams
  /** The contents of the part `file`; undefined when there is none, or it is empty. */
  readonly file: Buffer | undefined
}

/** What boundaries and other fields may need beside the file. */
const REST_BYTES = 16 * 1024

/** Reads the form. Throws `UnreadableForm` when it is none, or larger than a file of this size needs. */
export async function readUpload(exchange: Exchange, maxBytes: number): Promise<Upload> {
  const contentType = exchange.header('content-type') ?? ''
  if (mediaType(contentType) !== 'multipart/form-data') throw new UnreadableForm(415)
  let form: FormData
  try {
    const body = await exchange.read({ maxBytes: maxBytes + REST_BYTES })
    form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData()
  } catch (error) {
    if (error instanceof Failed && error.failure.http === 413) throw new UnreadableForm(413)
    // A body that does not follow its boundary.
    if (error instanceof TypeError) throw new UnreadableForm(415)
    throw error
  }
  const fields = new URLSearchParams()
  for (const [name, value] of form) if (typeof value === 'string') fields.append(name, value)
  const file = form.get('file')
  const isFile = typeof file === 'object' && file !== null && file.size > 0
  return { fields, file: isFile ? Buffer.from(await file.arrayBuffer()) : undefined }
}
