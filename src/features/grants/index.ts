/**
 * Grants: what applications and machines got from one sign-in. A grant has an authorization code, the last access token
 * and a refresh token; only hashes are stored. Whether it counts is read from the session, the user, the application and
 * the project, so it ends in the same commit as they do.
 */
import { STAYS, stays } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { carriedApprovals, carriedConsents } from './carried.ts'
import { grantRetention, grantRetirements, grants } from './documents.ts'
import { enqueueLogoutNotices } from './handlers/notify-logout.ts'
import { grantJobs } from './jobs.ts'
import { grantCounters } from './metrics.ts'
import { grantRefusals } from './refusals.ts'
import { refreshTokenMethods } from './rpc-v1.ts'
import { agentAccessMethods } from './rpc-v2.ts'

export const grantsModule = module({
  name: 'grants',
  kinds: [
    ...stays(`Refresh tokens and opaque access tokens end. ${STAYS.signInAgain}`, grants),
    ...stays(STAYS.signInAgain, grantRetirements),
    carriedConsents,
    carriedApprovals,
  ],
  methods: (app) => [...refreshTokenMethods(app), ...agentAccessMethods(app)],
  refusals: grantRefusals,
  counters: grantCounters,
  retention: () => [grantRetention],
  jobs: (app) => [grantJobs(app)],
  whenSessionEnded: enqueueLogoutNotices,
})

export { agentApprovals } from './approvals.ts'
export { consentedScopes, hasConsent } from './consent.ts'
export type { IssuedToken, OpenGrant } from './decider.ts'
export { consents, grants } from './documents.ts'
export { pictureOf } from './draw-picture.ts'
export type {
  ActorClaim,
  GrantResource,
  GrantSubject,
  ParentGrant,
  ParentToken,
  ServiceProviderName,
} from './events.ts'
export { type Derivation, openDerivedGrant } from './handlers/derive-token.ts'
export {
  type FoundSecret,
  findAccessToken,
  findCode,
  findRefreshToken,
  idTokenIdOf,
  type ShownToken,
  shownAccessToken,
  shownIdToken,
  shownPersonalToken,
  tokenIdOf,
  type ValidAccessToken,
} from './handlers/find-token.ts'
export { type Circumstances, grantsThrough, identifyAtDoor, identifyByAccessToken } from './handlers/identify-bearer.ts'
export {
  issueTokens,
  noticeReuse,
  revokeAccessToken,
  revokeGrant,
  type TokensOfRequest,
  type UsedOnce,
} from './handlers/issue-token.ts'
export {
  type ApplicationAccess,
  applicationsWithAccess,
  giveConsent,
  takeAccessBack,
} from './handlers/manage-access.ts'
export { type NewGrant, openGrant, openGrantWithCode, openGrantWithToken } from './handlers/open-grant.ts'
export type { Picture } from './picture.ts'
export { isStillFor, rememberedAuthorizers, validGrant } from './validity.ts'
