/** Authorization requests, devices and errors in the messages of the OIDCService. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { durationFromMs, timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  type AuthorizationError,
  type AuthRequestSchema,
  type DeviceAuthorizationRequestSchema,
  ErrorReason,
  Prompt,
  type Session,
} from '../../../contract/gen/signet/oidc/v2/authorization_pb.ts'
import type { App } from '../../module/app.ts'
import type { Document } from '../../store/index.ts'
import { findApplicationByClientId } from '../applications/index.ts'
import { findProject } from '../projects/index.ts'
import { verifyOwnJwt } from '../web-keys/index.ts'
import { scopeForApplication } from './audience.ts'
import type { StartedDevice, WaitingRequest } from './decider.ts'
import type { AuthorizationFailure, ShownSession } from './handlers/answer-request.ts'
import { parametersOf, publicIdOf } from './parameters.ts'

const PROMPTS: Readonly<Record<string, Prompt>> = {
  none: Prompt.NONE,
  login: Prompt.LOGIN,
  consent: Prompt.CONSENT,
  select_account: Prompt.SELECT_ACCOUNT,
  create: Prompt.CREATE,
}

/** The error codes: the names of the reasons in lower case, but for two. */
const ERRORS: ReadonlyMap<number, string> = new Map<number, string>([
  ...Object.entries(ErrorReason).map(([name, reason]) => [reason, name.toLowerCase()] as const),
  [ErrorReason.UNSPECIFIED, 'server_error'],
  [ErrorReason.TEMPORARY_UNAVAILABLE, 'temporarily_unavailable'],
])

/** The scopes that an application gets. */
async function scopesOf(app: App, clientId: string, scope: string): Promise<string[]> {
  const application = await findApplicationByClientId(app, clientId)
  const granted = application === undefined ? scope : await scopeForApplication(app, application.state.projectId, scope)
  return granted.split(' ').filter((one) => one !== '')
}

/** The user of an ID token that the application sent along. */
async function hintedUser(app: App, idToken: string | undefined): Promise<string | undefined> {
  const subject = idToken === undefined ? undefined : (await verifyOwnJwt(app, idToken))?.sub
  return typeof subject === 'string' ? subject : undefined
}

/** An authorization request. */
export async function authRequestMessage(
  app: App,
  { id, state, createdAt }: Document<WaitingRequest>,
): Promise<MessageInitShape<typeof AuthRequestSchema>> {
  const { redirectUri, scope, prompts, uiLocales, loginHint, maxAge, idTokenHint } = parametersOf(state)
  const [scopes, hintUserId] = await Promise.all([scopesOf(app, state.clientId, scope), hintedUser(app, idTokenHint)])
  const longest = prompts.includes('login') ? 0 : maxAge
  return {
    id: publicIdOf(id),
    creationDate: timestampFromMs(createdAt),
    clientId: state.clientId,
    scope: scopes,
    redirectUri,
    prompt: prompts.flatMap((one) => PROMPTS[one] ?? []),
    uiLocales: [...uiLocales],
    ...(loginHint !== undefined && { loginHint }),
    ...(longest !== undefined && { maxAge: durationFromMs(longest * 1000) }),
    ...(hintUserId !== undefined && { hintUserId }),
  }
}

/** A device that waits for approval. */
export async function deviceMessage(
  app: App,
  { id, state }: Document<StartedDevice>,
): Promise<MessageInitShape<typeof DeviceAuthorizationRequestSchema>> {
  const { clientId, scope } = state
  const application = await findApplicationByClientId(app, clientId)
  const project = application && (await findProject(app, application.state.projectId))
  return {
    id,
    clientId,
    scope: await scopesOf(app, clientId, scope),
    appName: application?.state.name ?? '',
    projectName: project?.state.name ?? '',
  }
}

export function readSession({ sessionId, sessionToken: token }: Session): ShownSession {
  return { sessionId, token }
}

export function readError({ error, errorDescription, errorUri }: AuthorizationError): AuthorizationFailure {
  return {
    error: ERRORS.get(error) ?? 'server_error',
    description: errorDescription || undefined,
    uri: errorUri || undefined,
  }
}
