/** Sends lines of users to the server, as the user who is signed in. */
import { environment } from '../../../session/environment.ts'
import { accessToken } from '../../../session/sign-in.ts'

/** The sender of `runImport` for an organization. */
export function postLines(organizationId: string) {
  return async (lines: string, signal: AbortSignal): Promise<Response> =>
    fetch(`${new URL(environment().issuer).origin}/v2/users/import`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await accessToken()}`,
        'content-type': 'application/x-ndjson',
        'x-service-orgid': organizationId,
      },
      body: lines,
      signal,
    })
}
