/** The ApplicationService: applications of all projects on which the caller has the permission. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  ApplicationService,
  type CreateApplicationRequest,
  type CreateApplicationResponseSchema,
  type UpdateApplicationRequest,
} from '../../../contract/gen/signet/application/v2/application_service_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { changeDateOf } from '../../module/details.ts'
import { pageOf } from '../../module/paging.ts'
import type { Document, Filter } from '../../store/index.ts'
import { projectForCaller, projectToAddTo } from '../projects/index.ts'
import { newRegistrationToken } from './agents/registration-tokens.ts'
import { apiConfigV2, assertionRules, changedConfigV2, newConfigV2 } from './config-messages.ts'
import type { ActiveApplicationKey } from './decider.ts'
import { applicationKeys, applications } from './documents.ts'
import { apiAccess, apiAuthMethod } from './enums.ts'
import type { ApplicationConfig } from './events.ts'
import {
  applicationForCaller,
  applicationToExtend,
  readApplicationKey,
  visibleApplication,
} from './find-application.ts'
import { type AddedApplication, addApplication } from './handlers/add-application.ts'
import {
  type ApplicationChange,
  changeApplication,
  replaceSecret,
  switchApplication,
} from './handlers/change-application.ts'
import { addApplicationKey, removeApplicationKey } from './handlers/change-keys.ts'
import { removeApplicationFor, removeRegisteredClients } from './handlers/remove-application.ts'
import { setApiAccess } from './handlers/set-api-access.ts'
import { applicationV2, complianceV2, expirationOf, keyV2 } from './messages.ts'
import { applicationFilter, applicationSorting, IN_A_PROJECT, keyFilter, keySorting } from './queries.ts'
import { applicationRefusals } from './refusals.ts'
import { changedSamlConfigV2, newSamlConfigV2 } from './saml/messages.ts'
import type { LivingApplication } from './state.ts'
import { issueTrialTicket, trialRedirectUri } from './trial.ts'

/** The path of the configuration in requests. */
const OIDC_FIELDS = 'oidcConfiguration.'

async function newConfig(app: App, { applicationType }: CreateApplicationRequest): Promise<ApplicationConfig> {
  if (applicationType.case === 'oidcConfiguration') return newConfigV2(applicationType.value)
  if (applicationType.case === 'samlConfiguration') return newSamlConfigV2(app, applicationType.value)
  // The contract requires one of the three.
  return apiConfigV2(applicationType.value ?? {})
}

async function configAfter(
  app: App,
  { applicationType }: UpdateApplicationRequest,
): Promise<ApplicationChange['configAfter']> {
  switch (applicationType.case) {
    case 'samlConfiguration':
      return changedSamlConfigV2(app, applicationType.value)
    case 'oidcConfiguration':
      return (before) => (before.type === 'oidc' ? changedConfigV2(before, applicationType.value) : undefined)
    case 'apiConfiguration': {
      const { authMethodType, requireAssertionJti } = applicationType.value
      const authMethod = apiAuthMethod.read(authMethodType)
      return (before) =>
        before.type === 'api'
          ? { type: 'api', authMethod, ...assertionRules(requireAssertionJti ?? before.requireAssertionJti) }
          : undefined
    }
    default:
      return undefined
  }
}

function createdMessage({
  written,
  secret: clientSecret,
}: AddedApplication): NonNullable<MessageInitShape<typeof CreateApplicationResponseSchema>['applicationType']> {
  const { clientId, config } = written.value.state
  switch (config.type) {
    case 'oidc':
      return { case: 'oidcConfiguration', value: { clientId, clientSecret, ...complianceV2(config) } }
    case 'saml':
      return { case: 'samlConfiguration', value: {} }
    case 'api':
      return { case: 'apiConfiguration', value: { clientId, clientSecret } }
  }
}

function applicationRpc(app: App): Implementation<typeof ApplicationService> {
  return {
    async createApplication(message, call) {
      const { projectId, name, applicationId } = message
      await projectToAddTo(app, call, projectId)
      const added = await addApplication(app, call, {
        projectId,
        applicationId: applicationId === '' ? undefined : applicationId,
        name,
        config: await newConfig(app, message),
        fieldPrefix: OIDC_FIELDS,
      })
      const creationDate = timestampFromMs(added.written.at)
      return { applicationId: added.written.value.id, creationDate, applicationType: createdMessage(added) }
    },

    async updateApplication(message, call) {
      const { applicationId, projectId, name } = message
      const application = await applicationForCaller(app, call, applicationId, projectId)
      const { at } = await changeApplication(app, call, application, {
        name: name === '' ? undefined : name,
        configAfter: await configAfter(app, message),
        fieldPrefix: OIDC_FIELDS,
      })
      return { changeDate: timestampFromMs(at) }
    },

    async getApplication({ applicationId }, call) {
      const found = await visibleApplication(app, call, applicationId)
      if (found === undefined) throw refused(applicationRefusals, 'application.not_found')
      return { application: applicationV2(found) }
    },

    async deleteApplication({ applicationId, projectId }, call) {
      const { changedAt } = await removeApplicationFor(app, call, applicationId, projectId)
      return { deletionDate: timestampFromMs(changedAt) }
    },

    async deactivateApplication({ applicationId, projectId }, call) {
      await applicationForCaller(app, call, applicationId, projectId)
      const { at } = await switchApplication(app, call.origin, applicationId, 'deactivate')
      return { deactivationDate: timestampFromMs(at) }
    },

    async reactivateApplication({ applicationId, projectId }, call) {
      await applicationForCaller(app, call, applicationId, projectId)
      const { at } = await switchApplication(app, call.origin, applicationId, 'reactivate')
      return { reactivationDate: timestampFromMs(at) }
    },

    async startSignInTrial({ applicationId, projectId, codeChallenge }, call) {
      const { state } = await applicationForCaller(app, call, applicationId, projectId)
      // An API signs nobody in.
      if (state.config.type !== 'oidc') throw refused(applicationRefusals, 'application.other_type')
      const { clientId } = state
      const { ticket, expiresAt } = await issueTrialTicket(app, { clientId, codeChallenge })
      const redirectUri = trialRedirectUri(app)
      return { ticket, clientId, redirectUri, expirationDate: timestampFromMs(expiresAt) }
    },

    async setApplicationApiAccess({ applicationId, projectId, access }, call) {
      const application = await applicationForCaller(app, call, applicationId, projectId)
      return { changeDate: changeDateOf(await setApiAccess(app, call, application, apiAccess.read(access))) }
    },

    async createRegistrationToken({ projectId }, call) {
      const project = await projectToAddTo(app, call, projectId)
      const { token, expiresAt } = await newRegistrationToken(app, call.origin, project, call.caller)
      return { token, expirationDate: timestampFromMs(expiresAt) }
    },

    async deleteRegisteredClients({ projectId }, call) {
      await projectForCaller(app, call, projectId)
      return { deleted: await removeRegisteredClients(app, call.origin, projectId) }
    },

    async generateClientSecret({ applicationId, projectId }, call) {
      await applicationForCaller(app, call, applicationId, projectId)
      const { secret, written } = await replaceSecret(app, call, applicationId)
      return { clientSecret: secret, creationDate: timestampFromMs(written.at) }
    },
  }
}

/** What the caller may read: by a role in the organization, or on the project. */
function visibleTo(call: Call): readonly Filter<'projectId'>[] {
  const owners = call.visibleOwners()
  if (owners === 'all') return [IN_A_PROJECT]
  const { projectIds } = call.visibleProjects()
  const inReach: Filter<'projectId'> = {
    any: [
      { field: 'owner', in: owners },
      { field: 'projectId', in: projectIds },
    ],
  }
  return [IN_A_PROJECT, inReach]
}

function listRpc(app: App): Implementation<typeof ApplicationService> {
  return {
    async listApplications({ pagination, sortingColumn, filters }, call) {
      const visible = visibleTo(call)
      const { limit, offset, descending } = pageOf(pagination, 'pagination')
      const page = await app.store.find(applications, {
        where: { all: [...visible, ...filters.map(applicationFilter)] },
        orderBy: applicationSorting(sortingColumn),
        descending,
        limit,
        offset,
      })
      return {
        pagination: { totalResult: BigInt(page.total), appliedLimit: BigInt(limit) },
        applications: page.documents.map((document) => applicationV2(document as Document<LivingApplication>)),
      }
    },

    async listApplicationKeys({ pagination, sortingColumn, filters }, call) {
      const visible = visibleTo(call)
      const { limit, offset, descending } = pageOf(pagination, 'pagination')
      const page = await app.store.find(applicationKeys, {
        where: { all: [...visible, ...filters.map(keyFilter)] },
        orderBy: keySorting(sortingColumn),
        descending,
        limit,
        offset,
      })
      return {
        pagination: { totalResult: BigInt(page.total), appliedLimit: BigInt(limit) },
        keys: page.documents.map((document) => keyV2(document as Document<ActiveApplicationKey>)),
      }
    },
  }
}

function keyRpc(app: App): Implementation<typeof ApplicationService> {
  return {
    async createApplicationKey({ applicationId, projectId, expirationDate, publicKey }, call) {
      const application = await applicationToExtend(app, call, applicationId, projectId)
      const expiresAt = expirationOf(expirationDate, call.at)
      const { keyId, file, written } = await addApplicationKey(app, call, application, { expiresAt, publicKey })
      return { keyId, creationDate: timestampFromMs(written.at), keyDetails: file }
    },

    async deleteApplicationKey({ keyId, applicationId, projectId }, call) {
      await applicationForCaller(app, call, applicationId, projectId)
      const { at } = await removeApplicationKey(app, call.origin, applicationId, keyId)
      return { deletionDate: timestampFromMs(at) }
    },

    async getApplicationKey({ keyId }, call) {
      const key = await readApplicationKey(app, keyId)
      const found = key && (await visibleApplication(app, call, key.state.applicationId))
      if (key === undefined || found === undefined) throw refused(applicationRefusals, 'application.key_not_found')
      const { creationDate, expirationDate } = keyV2(key)
      return { keyId, ...(creationDate && { creationDate }), ...(expirationDate && { expirationDate }) }
    },
  }
}

/** The v2 methods of this module. */
export function applicationMethodsV2(app: App): readonly Method[] {
  return [applicationRpc(app), listRpc(app), keyRpc(app)].flatMap((rpc) => methods(ApplicationService, rpc))
}
