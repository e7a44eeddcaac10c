/**
 * The functions of actions: `preuserinfo` for ID tokens, userinfo and introspection, `preaccesstoken` for signed access
 * tokens. Their targets add claims; they change none, and none that the protocols give a meaning to.
 */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { readScopes } from '../features/authorization-requests/index.ts'
import { type FunctionAnswer, type FunctionName, functionExecution, runFunction } from '../features/executions/index.ts'
import type { ActorClaim } from '../features/grants/index.ts'
import { apiProjectId } from '../features/instances/index.ts'
import { setMetadata } from '../features/metadata/index.ts'
import { SYSTEM_ACTOR } from '../kernel/actor.ts'
import { Refused } from '../kernel/refusal.ts'
import type { App } from '../module/app.ts'
import type { ClaimSource } from './claims.ts'
import { type FunctionSubject, functionMembers } from './function-payload.ts'

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

/** Writes what a function says about a user. A failure is an entry in the log of the function. */
async function writeMetadata(app: App, source: ClaimSource, answer: FunctionAnswer): Promise<readonly string[]> {
  const entries = answer.set_user_metadata ?? []
  if (entries.length === 0) return []
  const { id: userId, owner: organizationId } = source.user
  try {
    await app.store.write({ actor: SYSTEM_ACTOR, at: app.clock() }, (work) =>
      setMetadata(
        work,
        { userId, organizationId },
        entries.map(({ key, value }) => ({ key, value: Buffer.from(value, 'base64') })),
      ),
    )
    return []
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return [`failed to set metadata: ${error.message}`]
  }
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
  const execution = await functionExecution(app, name)
  if (execution === undefined) return {}
  // With a dead target, nobody could sign in to the console to take it away again.
  if (from.source.subject.projectId !== '' && from.source.subject.projectId === (await apiProjectId(app))) return {}
  const members = await functionMembers(app, subjectOf(from), { sub: from.source.user.id, ...existing })
  const answer = await runFunction(app, execution, members)
  const problems = await writeMetadata(app, from.source, answer)
  return addedClaims(name, answer, existing, problems)
}
