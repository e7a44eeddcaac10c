/** The kinds of this module: their search fields and unique values. Only this module reads the hashes of secrets. */
import { kind } from '../../store/index.ts'
import { application, applicationKey, applicationSecret } from './decider.ts'
import { applicationEvents, applicationKeyEvents, applicationSecretEvents } from './events.ts'
import { applicationRefusals } from './refusals.ts'
import { isLiving } from './state.ts'

/** The claim that makes a name unique in its project. */
const APPLICATION_NAME_CLAIM = 'application-name'
/** The claim on a client ID. */
export const CLIENT_ID_CLAIM = 'application-client-id'

export const applications = kind({
  name: 'application',
  version: 1,
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
  },
  claims: (state) =>
    isLiving(state)
      ? [
          {
            kind: APPLICATION_NAME_CLAIM,
            value: `${state.projectId} ${state.search.nameKey}`,
            taken: 'application.name_taken' as const,
          },
          { kind: CLIENT_ID_CLAIM, value: state.clientId, taken: 'application.client_id_taken' as const },
        ]
      : [],
  isGone: (state) => state.status === 'removed',
})

/** A name by which applications can be filtered or sorted. */
export type ApplicationField = keyof typeof applications.fields & string

/** The ID of a secret is the ID of its application. The document remains after a removal, because it can be set again. */
export const applicationSecrets = kind({
  name: 'application-secret',
  version: 1,
  events: applicationSecretEvents,
  decider: applicationSecret,
  refusals: applicationRefusals,
  fields: {},
})

export const applicationKeys = kind({
  name: 'application-key',
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
})

/** A name by which keys can be filtered or sorted. */
export type ApplicationKeyField = keyof typeof applicationKeys.fields & string
