/** The kinds of this module: their search fields and unique values. Only this module reads the hashes of secrets. */
import { CLIENT_ID_CLAIM } from '../../module/token-party.ts'
import { type Claim, kind } from '../../store/index.ts'
import { application, applicationKey, applicationSecret } from './decider.ts'
import { type ApplicationConfig, applicationEvents, applicationKeyEvents, applicationSecretEvents } from './events.ts'
import { applicationRefusals } from './refusals.ts'
import { type Application, isLiving } from './state.ts'

/** The claim that makes a name unique in its project. */
const APPLICATION_NAME_CLAIM = 'application-name'

/**
 * The claim that makes the entity ID of a service provider unique in an organization. The vendor of a product has one for all of
 * its customers, so others can have the same.
 */
const ENTITY_ID_CLAIM = 'saml-entity-id'
/** Where assertions for an entity ID go. All organizations sign with the same key, and whoever receives one asks no further. */
const RESPONSE_ADDRESS_CLAIM = 'saml-response-address'

function samlClaims(config: ApplicationConfig): readonly Claim<'application.entity_id_taken'>[] {
  if (config.type !== 'saml') return []
  const { entityId, responseServices } = config
  const taken = 'application.entity_id_taken'
  const instance =
    'Who signs in there is a user of the organization that was first; an owner of the instance settles it.'
  return [
    { kind: ENTITY_ID_CLAIM, within: 'owner', value: entityId, taken },
    ...[...new Set(responseServices.map(({ url }) => url))].map(
      (url) => ({ kind: RESPONSE_ADDRESS_CLAIM, within: { instance }, value: `${entityId} ${url}`, taken }) as const,
    ),
  ]
}

/** A list of addresses in the configuration. */
function addresses(things: string, list: 'redirectUris' | 'postLogoutRedirectUris' | 'additionalOrigins') {
  const inside = (state: Application) =>
    isLiving(state) && state.config.type === 'oidc' ? state.config[list].length : 0
  return { things, holder: 'an application', inside, number: 100 }
}

export const applications = kind({
  name: 'application',
  ids: 'chosen',
  waits: false,
  path: { changedBy: 'Its access to the API is what those reach who control it.' },
  version: 6,
  events: applicationEvents,
  decider: application,
  refusals: applicationRefusals,
  sortsByChange: true,
  fields: {
    projectId: { path: ['projectId'], type: 'text' },
    name: { path: ['search', 'name'], type: 'text', beside: ['typedName'] },
    typedName: { path: ['name'], type: 'text', indexed: false },
    status: { path: ['status'], type: 'text', selective: false },
    type: { path: ['config', 'type'], type: 'text', selective: false },
    clientId: { path: ['clientId'], type: 'text' },
    entityId: { path: ['config', 'entityId'], type: 'text' },
    preparedIn: { path: ['preparedIn'], type: 'text' },
    agentKind: { path: ['agent', 'kind'], type: 'text', selective: false },
    agentIn: { path: ['agentIn'], type: 'text' },
    apiAccess: { path: ['api', 'access'], type: 'text', selective: false },
  },
  claims: (state) =>
    // A client that nobody prepared is an application in each project that it is used for.
    isLiving(state) && state.agent === undefined
      ? [
          {
            kind: APPLICATION_NAME_CLAIM,
            within: 'parent',
            value: `${state.projectId} ${state.search.nameKey}`,
            taken: 'application.name_taken' as const,
          },
          {
            kind: CLIENT_ID_CLAIM,
            within: { instance: 'Client IDs are IDs, and an ID that is taken is made anew.' },
            value: state.clientId,
            taken: 'application.client_id_taken' as const,
          },
          ...samlClaims(state.config),
        ]
      : [],
  isGone: (state) => state.status === 'removed',
  limits: [
    // The audience of a token names the clients of its project.
    { things: 'applications', holder: 'a project', by: ['preparedIn'], number: 1_000 },
    { things: 'clients that nobody prepared', holder: 'a project', by: ['agentIn'], number: 10_000 },
    addresses('redirect URIs', 'redirectUris'),
    addresses('post-logout redirect URIs', 'postLogoutRedirectUris'),
    addresses('additional origins', 'additionalOrigins'),
  ],
})

/** A name by which applications can be filtered or sorted. */
export type ApplicationField = keyof typeof applications.fields & string

/** The ID of a secret is the ID of its application. The document remains after a removal, because it can be set again. */
export const applicationSecrets = kind({
  name: 'application-secret',
  ids: { of: 'application' },
  waits: false,
  path: false,
  version: 2,
  events: applicationSecretEvents,
  decider: applicationSecret,
  refusals: applicationRefusals,
  fields: {},
})

export const applicationKeys = kind({
  name: 'application-key',
  ids: 'own',
  waits: false,
  path: false,
  version: 1,
  events: applicationKeyEvents,
  decider: applicationKey,
  refusals: applicationRefusals,
  fields: {
    applicationId: { path: ['applicationId'], type: 'text' },
    projectId: { path: ['projectId'], type: 'text', indexed: false },
    expiresAt: { path: ['expiresAt'], type: 'number', indexed: false },
  },
  isGone: (state) => state.status === 'removed',
  limits: [{ things: 'keys', holder: 'an application', by: ['applicationId'], number: 200 }],
})

/** A name by which keys can be filtered or sorted. */
export type ApplicationKeyField = keyof typeof applicationKeys.fields & string
