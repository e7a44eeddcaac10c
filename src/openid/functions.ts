/**
 * The functions of actions: `preuserinfo` for ID tokens, userinfo and introspection, `preaccesstoken` for signed access
 * tokens. Their targets add claims; they change none, and none that the protocols give a meaning to.
 */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { readScopes } from '../features/authorization-requests/index.ts'
import {
  type FunctionAnswer,
  type FunctionName,
  type FunctionSubject,
  runFunctionFor,
  tokenFunctionMembers,
} from '../features/executions/index.ts'
import type { ActorClaim } from '../features/grants/index.ts'
import type { App } from '../module/app.ts'
import type { ClaimSource } from './claims.ts'

/** Claims of the protocols. Whoever could set one could pose as somebody else, or for somebody else. */
const PROTOCOL_CLAIMS: ReadonlySet<string> = new Set([
  ...['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti', 'typ', 'nonce', 'auth_time', 'acr', 'amr', 'azp'],
  ...['at_hash', 'c_hash', 's_hash', 'sid', 'act', 'may_act', 'cnf', 'client_id', 'scope', 'scp', 'active'],
  ...['token_type', 'username', 'authorization_details', 'events', 'toe', 'txn', 'sub_jwk', 'sub_id', 'vot', 'vtm'],
  ...['_claim_names', '_claim_sources', 'verified_claims', 'htm', 'htu', 'ath', '__proto__'],
])
/** Names of ours and of the peer: claims about roles and organizations are among them. */
const OWN_NAMES = /^urn:(?:zitadel:iam|signet)/

/** Where claims are made. */
export interface FunctionSource {
  readonly source: ClaimSource
  readonly clientId: string
  readonly actor?: ActorClaim | undefined
}

function subjectOf({ source, clientId, actor }: FunctionSource): FunctionSubject {
  const { user, subject, scope } = source
  const projectIds = [...new Set([subject.projectId, ...readScopes(scope).projectIds])].filter((id) => id !== '')
  return { user, clientId, projectIds, actor }
}

/** The claims that a function adds to those that there are. */
export function addedClaims(
  name: FunctionName,
  { append_claims: appended = [], append_log_claims: entries = [] }: FunctionAnswer,
  existing: JsonObject,
  problems: readonly string[] = [],
): JsonObject {
  const claims: Record<string, JsonValue> = {}
  const log = [...entries, ...problems]
  for (const { key, value } of appended) {
    if (OWN_NAMES.test(key)) continue
    if (PROTOCOL_CLAIMS.has(key) || Object.hasOwn(existing, key) || Object.hasOwn(claims, key)) {
      log.push(`key ${JSON.stringify(key)} already exists`)
      continue
    }
    claims[key] = value
  }
  return { ...claims, ...(log.length > 0 && { [`urn:zitadel:iam:action:function/${name}:log`]: log }) }
}

/** Runs a function for claims that were made; returns what it adds to them. */
export async function claimsOfFunction(
  app: App,
  name: FunctionName,
  from: FunctionSource,
  existing: JsonObject,
): Promise<JsonObject> {
  const { user, subject } = from.source
  const members = () => tokenFunctionMembers(app, subjectOf(from), { sub: user.id, ...existing })
  const outcome = await runFunctionFor(app, name, { user, projectId: subject.projectId }, members)
  return outcome === undefined ? {} : addedClaims(name, outcome.answer, existing, outcome.problems)
}
