/** Uploads a file of a brand, or removes it. Files are not part of the RPC services: they are sent as forms. */
import { chosenOrganization } from '../../api/transport.ts'
import { environment } from '../../session/environment.ts'
import { accessToken } from '../../session/sign-in.ts'

/** Undefined when it worked; else why it did not, empty when the server has no uploads. */
export async function changeAsset(path: string, file: File | undefined): Promise<string | undefined> {
  const organizationId = chosenOrganization()
  const headers = {
    authorization: `Bearer ${await accessToken()}`,
    ...(organizationId !== undefined && { 'x-service-orgid': organizationId }),
  }
  const body = new FormData()
  if (file !== undefined) body.append('file', file)
  const url = new URL(`/assets/v1/${path}`, environment().issuer)
  try {
    const answer = await fetch(url, file ? { method: 'POST', headers, body } : { method: 'DELETE', headers })
    if (answer.ok) return undefined
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
    const reply = isJson ? ((await answer.json()) as { readonly message?: string }) : {}
    return answer.status === 404 ? '' : (reply.message ?? `${answer.status}`)
  } catch (error) {
    return String(error)
  }
}
