/**
 * What clients of the ZITADEL API know and we serve otherwise, or not, with the decision that says why. `npm run check`
 * fails for a difference that is not here, and for a line that is no longer true.
 */
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { REFUSED } from '../test/contract/peer-missing.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Allowed {
  /** The number of the page in docs/decisions. */
  readonly decision: string
  readonly why: string
  readonly differences: readonly string[]
}

const REFUSED_METHODS: readonly Allowed[] = Object.entries(REFUSED).map(([why, group]) => ({
  decision: '0095',
  why,
  differences: Object.entries(group).flatMap(([service, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => `signet.${service}/${name}: not served`),
  ),
}))

export const ALLOWED_DIFFERENCES: readonly Allowed[] = [
  ...REFUSED_METHODS,
  {
    decision: '0032',
    why: 'earlier versions are served under the names of v2 where the messages are the same, and nowhere else',
    differences: [
      ...['action.v2beta.Action', 'analytics.v2beta.Telemetry', 'app.v2beta.App', 'authorization.v2beta.Authorization'],
      ...['feature.v2beta.Feature', 'instance.v2beta.Instance', 'internal_permission.v2beta.InternalPermission'],
      ...['oidc.v2beta.OIDC', 'org.v2beta.Organization', 'project.v2beta.Project', 'session.v2beta.Session'],
      ...['settings.v2beta.Settings', 'user.v2beta.User', 'webkey.v2beta.WebKey'],
    ].map((name) => `signet.${name}Service: not served`),
  },
  {
    decision: '0032',
    why: 'nothing of v3alpha is served',
    differences: [
      'signet.resources.debug_events.v3alpha.ZITADELDebugEvents: not served',
      'signet.resources.user.v3alpha.ZITADELUsers: not served',
      'signet.resources.userschema.v3alpha.ZITADELUserSchemas: not served',
    ],
  },
  {
    decision: '0095',
    why: 'the fields of a form are returned, not a page with it',
    differences: ['signet.user.v2.StartIdentityProviderIntentResponse.post_form: missing'],
  },
  {
    decision: '0095',
    why: 'the certificates of a directory are in its configuration, not among the attributes of users',
    differences: ['signet.idp.v2.LDAPAttributes.root_ca: missing'],
  },
  {
    decision: '0095',
    why: 'a provider that is removed is gone, and one that is migrated is active as what it became',
    differences: ['signet.idp.v2.IDPState: no IDP_STATE_MIGRATED', 'signet.idp.v2.IDPState: no IDP_STATE_REMOVED'],
  },
  {
    decision: '0095',
    why: 'the flags were dropped from the API later',
    differences: [
      'signet.feature.v2.GetInstanceFeaturesResponse.disable_user_token_event: missing',
      'signet.feature.v2.GetSystemFeaturesResponse.disable_user_token_event: missing',
      'signet.feature.v2.ImprovedPerformance: no IMPROVED_PERFORMANCE_ORG_BY_ID',
      'signet.feature.v2.SetInstanceFeaturesRequest.disable_user_token_event: missing',
    ],
  },
  {
    // 13 is uint32, 4 is uint64; 9 is string, 12 is bytes.
    decision: '0095',
    why: 'the values that are allowed look the same on the wire and in JSON',
    differences: [
      'signet.management.v1.AddCustomPasswordComplexityPolicyRequest.min_length: scalar 13, not scalar 4',
      'signet.management.v1.UpdateCustomPasswordComplexityPolicyRequest.min_length: scalar 13, not scalar 4',
    ],
  },
  {
    decision: '0095',
    why: 'metadata of sessions is text: bytes that are text arrive unchanged',
    differences: [
      'signet.session.v2.CreateSessionRequest.metadata: map of scalar 9, not map of scalar 12',
      'signet.session.v2.Session.metadata: map of scalar 9, not map of scalar 12',
      'signet.session.v2.SetSessionRequest.metadata: map of scalar 9, not map of scalar 12',
    ],
  },
]

const pages = new Set(globSync('docs/decisions/*.md', { cwd: root }).map((page) => basename(page).slice(0, 4)))

/** What is wrong with these differences: not listed, or listed and not there, or without a page. */
export function problemsOfDifferences(differences: readonly string[]): readonly string[] {
  const listed = ALLOWED_DIFFERENCES.flatMap((row) => row.differences)
  return [
    ...differences
      .filter((one) => !listed.includes(one))
      .map((one) => `${one}, but clients of the ZITADEL API know it: mend it, or list it with a decision`),
    ...listed.filter((one) => !differences.includes(one)).map((one) => `no longer true, remove its line: ${one}`),
    ...ALLOWED_DIFFERENCES.filter(({ decision }) => !pages.has(decision)).map(
      ({ decision, why }) => `there is no decision ${decision}: ${why}`,
    ),
  ]
}
