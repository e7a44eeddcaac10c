/**
 * Authorization requests: what applications ask for while the user signs in, requests pushed in advance, and devices and
 * applications that wait for approval elsewhere. Approving one opens a grant; the rules for that are here, for the hosted
 * pages, `OIDCService` and the pages for devices and approvals alike.
 */
import { STAYS, stays } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { withdrawApprovals } from './backchannel/handlers/decide-approval.ts'
import { pingJobs } from './backchannel/handlers/send-ping.ts'
import { authorizationRequestKinds, authorizationRequestRetentions } from './documents.ts'
import { authorizationRequestRefusals } from './refusals.ts'
import { oidcMethods } from './rpc-v2.ts'

export const authorizationRequestsModule = module({
  name: 'authorization-requests',
  kinds: stays(STAYS.underWay, ...authorizationRequestKinds),
  refusals: authorizationRequestRefusals,
  methods: oidcMethods,
  retention: () => authorizationRequestRetentions,
  jobs: (app) => [pingJobs(app)],
  whenUserRemoved: withdrawApprovals,
})

export {
  audienceOfScopes,
  defaultResourceFor,
  requireResource,
  scopeProblem,
  scopesWithin,
  targetOf,
} from './audience.ts'
export {
  ACR,
  acrFor,
  askedAcr,
  authenticatedAtOf,
  authenticationOf,
  requiredAcrs,
} from './authentication.ts'
export { detailsProblem } from './authorization-details.ts'
export type { StartedApproval } from './backchannel/decider.ts'
export {
  approve,
  deny,
  findApproval,
  redeemApproval,
  waitingApproval,
  waitingApprovals,
} from './backchannel/handlers/decide-approval.ts'
export {
  approvalIdOf,
  bindingMessageProblem,
  startApproval,
  userOfHint,
} from './backchannel/handlers/start-approval.ts'
export { clientOfRequest } from './client-of-request.ts'
export type { StartedDevice, WaitingRequest } from './decider.ts'
export { isForThisRequest, isFreshEnough } from './freshness.ts'
export { requireShownSession } from './handlers/answer-request.ts'
export { approvedGrant } from './handlers/approve-request.ts'
export {
  approveDevice,
  denyDevice,
  deviceIdOf,
  findDevice,
  redeemDevice,
  requireDeviceByUserCode,
  startDevice,
} from './handlers/authorize-device.ts'
export {
  type AskingApplication,
  askedOf,
  type DescribedRequest,
  describeApplication,
  describeRequest,
  organizationOfScopes,
  REQUEST_COOKIE,
} from './handlers/describe-request.ts'
export {
  allowDetails,
  chooseAccount,
  denyRequest,
  findPushed,
  findRequest,
  finishRequest,
  pushRequest,
  startRequest,
  takeAssertion,
  takeAssertionIn,
  takePushed,
} from './handlers/keep-request.ts'
export { organizationOfLook } from './handlers/organization-of-look.ts'
export { pollApproval, pollDevice } from './handlers/poll-device.ts'
export { ownLoginBase } from './own-login-base.ts'
export { publicIdOf, storedIdOf } from './parameters.ts'
export { POLLING_INTERVAL_MS } from './polling.ts'
export { authorizationRequestRefusals } from './refusals.ts'
export type { StartedSamlRequest } from './saml/decider.ts'
export type { SamlAsked } from './saml/events.ts'
export { findSamlRequest, finishSamlRequest, startSamlRequest } from './saml/keep-saml-request.ts'
export {
  FIXED_SCOPES,
  GROUPS,
  GROUPS_WITH_IDS,
  METADATA,
  RESOURCE_OWNER,
  readScopes,
  SCOPE_PREFIXES,
  type Scopes,
  STANDARD_SCOPES,
  scopeSizeProblem,
} from './scopes.ts'
export { audienceNow, isPersonalTokenFor, isTokenFor, namedAudience } from './token-audience.ts'
