/** The calls of the page "Import": `/v2/import`, as the user who is signed in. */
import type { Product, Run, UploadedFile } from '../../../../../src/kernel/import-report.ts'
import { environment } from '../../../session/environment.ts'
import { accessToken, beginSignIn, replaceToken } from '../../../session/sign-in.ts'

export type { Product, Run, UploadedFile }

export interface ImportState {
  readonly product?: Product
  readonly files: readonly UploadedFile[]
  readonly run?: Run
  /** How much of a file one request may have. */
  readonly partBytes: number
  /** Sources that are followed by the command. */
  readonly followed: readonly {
    readonly source: string
    readonly isComplete: boolean
    readonly problems: readonly { readonly kind: string; readonly id: string; readonly reason: string }[]
  }[]
}

export interface StartOptions {
  readonly dryRun: boolean
  readonly as?: string
  readonly oldUrl?: string
  readonly name?: string
  readonly passphrase?: string
}

/** What the server refused, with its sentence. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused'
}

async function call(verb: string, path: string, body?: Blob | string): Promise<Response> {
  const isJson = typeof body === 'string'
  const response = await fetch(`${new URL(environment().issuer).origin}/v2/import${path}`, {
    method: verb,
    headers: {
      authorization: `Bearer ${await accessToken()}`,
      ...(body !== undefined && { 'content-type': isJson ? 'application/json' : 'application/octet-stream' }),
    },
    ...(body !== undefined && { body }),
    cache: 'no-store',
  })
  if (response.ok) return response
  const { message = '', details = [] } = (await response.json().catch(() => ({}))) as {
    readonly message?: string
    readonly details?: readonly { readonly id?: string }[]
  }
  if (details.some(({ id }) => id === 'access.sign_in_again')) return beginSignIn({ confirm: true })
  if (response.status === 401) await replaceToken()
  throw new ImportRefused(message || `The server answered ${response.status}.`)
}

export async function readState(): Promise<ImportState> {
  return (await call('GET', '')).json() as Promise<ImportState>
}

/** Sends a file in parts; `onProgress` hears how many bytes are there. */
export async function uploadFile(
  { product, part, file }: { readonly product: Product; readonly part: string; readonly file: File },
  partBytes: number,
  onProgress: (bytes: number) => void,
): Promise<void> {
  for (let offset = 0; offset === 0 || offset < file.size; offset += partBytes) {
    const query = new URLSearchParams({
      ...{ product, part, name: file.name },
      ...{ offset: String(offset), size: String(file.size) },
    })
    await call('POST', `/files?${query}`, file.slice(offset, offset + partBytes))
    onProgress(Math.min(offset + partBytes, file.size))
  }
}

export async function startImport(options: StartOptions): Promise<void> {
  await call('POST', '/start', JSON.stringify(options))
}

/** Says that the user has read what must be decided. */
export async function markRead(): Promise<void> {
  await call('POST', '/read')
}

export async function stopImport(): Promise<void> {
  await call('POST', '/stop')
}

export async function clearImport(): Promise<void> {
  await call('DELETE', '')
}

export async function readReport(): Promise<Blob> {
  return (await call('GET', '/report')).blob()
}
