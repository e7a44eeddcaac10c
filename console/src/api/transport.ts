/** How the console calls the public API: Connect with the user's token, in the chosen organization. */
import { Code, ConnectError, type Interceptor, type Transport } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-web'
import { environment } from '../session/environment.ts'
import { accessToken, beginSignIn, replaceToken } from '../session/sign-in.ts'
import { setConnectionLost } from './connection.ts'
import { isLost, readFailure } from './errors.ts'

/** The header that names the organization of a call. */
export const ORGANIZATION_HEADER = 'x-service-orgid'

let organizationId: string | undefined

/** Chooses the organization that requests name; undefined names none. */
export function callInOrganization(id: string | undefined): void {
  organizationId = id
}

/** The organization that requests name, for requests outside the transport. */
export function chosenOrganization(): string | undefined {
  return organizationId
}

const withContext: Interceptor = (next) => async (request) => {
  request.header.set('authorization', `Bearer ${await accessToken()}`)
  if (organizationId !== undefined && !request.header.has(ORGANIZATION_HEADER)) {
    request.header.set(ORGANIZATION_HEADER, organizationId)
  }
  return next(request)
}

const watchErrors: Interceptor = (next) => async (request) => {
  try {
    const answer = await next(request)
    setConnectionLost(false)
    return answer
  } catch (error) {
    if (!request.signal.aborted) setConnectionLost(isLost(error))
    if (readFailure(error).id === 'access.sign_in_again') return beginSignIn({ confirm: true })
    if (error instanceof ConnectError && error.code === Code.Unauthenticated) await replaceToken()
    throw error
  }
}

/** Opens the transport; after the environment is loaded. */
export function openTransport(): Transport {
  return createConnectTransport({ baseUrl: environment().issuer, interceptors: [watchErrors, withContext] })
}
