/** Errors as SCIM writes them (RFC 7644 §3.12). */
import type { PageAnswer, PageRequest } from '../http/page.ts'
import { Failed, type Fault, failureOf } from '../http/protocols/errors.ts'
import { type RefusalKind, Refused } from '../kernel/refusal.ts'

export const SCIM_TYPE = 'application/scim+json'
const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'
/** The extension that tells which refusal it is; clients of existing installations read it. */
const DETAIL_SCHEMA = 'urn:ietf:params:scim:api:zitadel:messages:2.0:ErrorDetail'

export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  // RFC 9865 §2.1
  | 'invalidCursor'
  | 'expiredCursor'
  | 'invalidCount'

/** An error in the words of SCIM. */
export class ScimError extends Error {
  override readonly name = 'ScimError'
  readonly status: number
  readonly scimType: ScimType | undefined
  readonly headers: Readonly<Record<string, string>>
  /** The refusal that it is, if a module has refused. */
  readonly refusal: Refused | undefined

  constructor(
    status: number,
    detail: string,
    scimType?: ScimType,
    headers: Readonly<Record<string, string>> = {},
    refusal?: Refused,
  ) {
    super(detail)
    this.refusal = refusal
    this.status = status
    this.scimType = scimType
    this.headers = headers
  }
}

const STATUS: Readonly<Record<RefusalKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  precondition: 400,
  exhausted: 429,
  aborted: 503,
  unavailable: 503,
  unknown: 500,
}

function scimTypeOf(kind: RefusalKind): ScimType | undefined {
  if (kind === 'conflict') return 'uniqueness'
  return kind === 'invalid' || kind === 'precondition' ? 'invalidValue' : undefined
}

/** The fields of the modules in the words of SCIM. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['username', 'userName'],
  ['profile.firstName', 'name.givenName'],
  ['profile.lastName', 'name.familyName'],
  ['profile.nickName', 'nickName'],
  ['profile.displayName', 'displayName'],
  ['profile.preferredLanguage', 'preferredLanguage'],
  ['email.email', 'emails.value'],
  ['phone.phone', 'phoneNumbers.value'],
])

function ofRefusal(error: Refused): ScimError {
  const violations = error.violations.map(({ field, description }) => ({
    field: NAMES.get(field) ?? field,
    description,
  }))
  const fields = violations.map(({ field, description }) => (field === '' ? description : `${field} ${description}`))
  const detail = [error.message, ...(fields.length === 0 ? [] : [`${fields.join('; ')}.`])].join(' ')
  const wait = error.retryAfterSeconds ?? (STATUS[error.kind] === 503 || STATUS[error.kind] === 429 ? 1 : undefined)
  const headers = wait === undefined ? {} : { 'retry-after': `${wait}` }
  return new ScimError(STATUS[error.kind], detail, scimTypeOf(error.kind), headers, error)
}

/** Any error in the words of SCIM; unexpected ones go to `log`. */
export function scimErrorOf(error: unknown, requestId: string, log: (fault: Fault) => void): ScimError {
  if (error instanceof ScimError) return error
  if (error instanceof Refused) return ofRefusal(error)
  const { status, http = status.http, message } = failureOf(error, { requestId }, '/scim/v2/*', log)
  return new ScimError(http, message)
}

/** Whether nobody is there any more who could read an answer. */
export function isCancelled(error: unknown): boolean {
  return error instanceof Failed && error.failure.id === 'request.cancelled'
}

/** What is not there has no code beside its status: clients that take no further schemas ask for it (scim2-client). */
export function errorBody({ status, scimType, message, refusal: known }: ScimError) {
  const refusal = status === 404 ? undefined : known
  return {
    schemas: [ERROR_SCHEMA, ...(refusal ? [DETAIL_SCHEMA] : [])],
    ...(scimType && { scimType }),
    detail: message,
    status: `${status}`,
    ...(refusal && { [DETAIL_SCHEMA]: { id: refusal.code, message: refusal.message } }),
  }
}

export function errorAnswer(error: ScimError, { challenge = 'Bearer' }: Pick<PageRequest, 'challenge'>): PageAnswer {
  const { status } = error
  const headers = { ...error.headers, ...(status === 401 && { 'www-authenticate': challenge }) }
  return { status, contentType: SCIM_TYPE, body: JSON.stringify(errorBody(error)), headers }
}
