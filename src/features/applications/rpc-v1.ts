/** The v1 methods for applications of projects. */
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { detailsV1, listDetailsV1 } from '../../module/details.ts'
import { pageOf } from '../../module/paging.ts'
import type { Document } from '../../store/index.ts'
import { projectForCaller, projectToAddTo } from '../projects/index.ts'
import { wholeConfigV1 } from './config-messages.ts'
import type { ActiveApplicationKey } from './decider.ts'
import { applicationKeys, applications } from './documents.ts'
import { apiAuthMethod } from './enums.ts'
import { applicationForCaller, readApplicationKey } from './find-application.ts'
import { addApplication } from './handlers/add-application.ts'
import { changeApplication, replaceSecret, switchApplication } from './handlers/change-application.ts'
import { addApplicationKey, removeApplicationKey } from './handlers/change-keys.ts'
import { removeApplicationFor } from './handlers/remove-application.ts'
import { applicationV1, complianceV1, expirationOf, keyV1 } from './messages.ts'
import { appFilter } from './queries.ts'
import { applicationRefusals } from './refusals.ts'
import { changedSamlConfigV1, newSamlConfigV1 } from './saml/messages.ts'
import type { LivingApplication } from './state.ts'

/** Throws unless the caller may add applications to the project. */
async function requireProjectToAddTo(app: App, call: Call, projectId: string): Promise<void> {
  await projectToAddTo(app, call, projectId)
}

function addRpc(app: App): Implementation<typeof ManagementService> {
  return {
    async addOIDCApp(message, call) {
      const { projectId, name } = message
      await requireProjectToAddTo(app, call, projectId)
      const config = wholeConfigV1(message)
      const added = await addApplication(app, call, { projectId, name, config, fieldPrefix: '' })
      const { id, state } = added.written.value
      return {
        appId: id,
        details: detailsV1(added.written.value),
        clientId: state.clientId,
        clientSecret: added.secret,
        ...complianceV1(config),
      }
    },

    async addSAMLApp(message, call) {
      const { projectId, name } = message
      await requireProjectToAddTo(app, call, projectId)
      const config = await newSamlConfigV1(app, message)
      const { written } = await addApplication(app, call, { projectId, name, config, fieldPrefix: '' })
      return { appId: written.value.id, details: detailsV1(written.value) }
    },

    async addAPIApp({ projectId, name, authMethodType }, call) {
      await requireProjectToAddTo(app, call, projectId)
      const config = { type: 'api', authMethod: apiAuthMethod.read(authMethodType) } as const
      const added = await addApplication(app, call, { projectId, name, config, fieldPrefix: '' })
      const { id, state } = added.written.value
      const details = detailsV1(added.written.value)
      return { appId: id, details, clientId: state.clientId, clientSecret: added.secret }
    },
  }
}

function changeRpc(app: App): Implementation<typeof ManagementService> {
  const switchTo = async (call: Call, projectId: string, appId: string, type: 'deactivate' | 'reactivate') => {
    await applicationForCaller(app, call, appId, projectId)
    const { value } = await switchApplication(app, call.origin, appId, type)
    return { details: detailsV1(value) }
  }
  const regenerate = async (call: Call, projectId: string, appId: string, type: 'oidc' | 'api') => {
    await applicationForCaller(app, call, appId, projectId)
    const { secret, written } = await replaceSecret(app, call, appId, type)
    return { clientSecret: secret, details: detailsV1(written.value) }
  }
  return {
    async updateApp({ projectId, appId, name }, call) {
      const application = await applicationForCaller(app, call, appId, projectId)
      const { value } = await changeApplication(app, call, application, { name, fieldPrefix: '' })
      return { details: detailsV1(value) }
    },

    async updateOIDCAppConfig(message, call) {
      const application = await applicationForCaller(app, call, message.appId, message.projectId)
      const { value } = await changeApplication(app, call, application, {
        configAfter: (before) => (before.type === 'oidc' ? wholeConfigV1(message, before) : undefined),
        fieldPrefix: '',
      })
      return { details: detailsV1(value) }
    },

    async updateSAMLAppConfig(message, call) {
      const application = await applicationForCaller(app, call, message.appId, message.projectId)
      const configAfter = await changedSamlConfigV1(app, message)
      const { value } = await changeApplication(app, call, application, { configAfter, fieldPrefix: '' })
      return { details: detailsV1(value) }
    },

    async updateAPIAppConfig({ projectId, appId, authMethodType }, call) {
      const application = await applicationForCaller(app, call, appId, projectId)
      const authMethod = apiAuthMethod.read(authMethodType)
      const { value } = await changeApplication(app, call, application, {
        configAfter: (before) => (before.type === 'api' ? { ...before, authMethod } : undefined),
        fieldPrefix: '',
      })
      return { details: detailsV1(value) }
    },

    deactivateApp: ({ projectId, appId }, call) => switchTo(call, projectId, appId, 'deactivate'),
    reactivateApp: ({ projectId, appId }, call) => switchTo(call, projectId, appId, 'reactivate'),

    async removeApp({ projectId, appId }, call) {
      return { details: detailsV1(await removeApplicationFor(app, call, appId, projectId)) }
    },

    regenerateOIDCClientSecret: ({ projectId, appId }, call) => regenerate(call, projectId, appId, 'oidc'),
    regenerateAPIClientSecret: ({ projectId, appId }, call) => regenerate(call, projectId, appId, 'api'),
  }
}

function readRpc(app: App): Implementation<typeof ManagementService> {
  return {
    async getAppByID({ projectId, appId }, call) {
      return { app: applicationV1(await applicationForCaller(app, call, appId, projectId)) }
    },

    async listApps({ projectId, query, queries }, call) {
      await projectForCaller(app, call, projectId)
      const page = pageOf(query, 'query')
      const where = { all: [{ field: 'projectId', equals: projectId } as const, ...queries.map(appFilter)] }
      const found = await app.store.find(applications, { where, ...page })
      const result = found.documents.map((document) => applicationV1(document as Document<LivingApplication>))
      return { details: listDetailsV1(found, call.at), result }
    },
  }
}

function keyRpc(app: App): Implementation<typeof ManagementService> {
  return {
    async getAppKey({ projectId, appId, keyId }, call) {
      await applicationForCaller(app, call, appId, projectId)
      const key = await readApplicationKey(app, keyId)
      if (key?.state.applicationId !== appId) throw refused(applicationRefusals, 'application.key_not_found')
      return { key: keyV1(key) }
    },

    async listAppKeys({ projectId, appId, query }, call) {
      await applicationForCaller(app, call, appId, projectId)
      const page = pageOf(query, 'query')
      const where = { field: 'applicationId', equals: appId } as const
      const found = await app.store.find(applicationKeys, { where, ...page })
      const result = found.documents.map((document) => keyV1(document as Document<ActiveApplicationKey>))
      return { details: listDetailsV1(found, call.at), result }
    },

    async addAppKey({ projectId, appId, expirationDate }, call) {
      const application = await applicationForCaller(app, call, appId, projectId)
      const expiresAt = expirationOf(expirationDate, call.at)
      const { keyId, file, written } = await addApplicationKey(app, call, application, { expiresAt })
      return { id: keyId, details: detailsV1(written.value), keyDetails: file }
    },

    async removeAppKey({ projectId, appId, keyId }, call) {
      await applicationForCaller(app, call, appId, projectId)
      const { value } = await removeApplicationKey(app, call.origin, appId, keyId)
      return { details: detailsV1(value) }
    },
  }
}

/** The v1 methods of this module. */
export function applicationMethodsV1(app: App): readonly Method[] {
  return [addRpc(app), changeRpc(app), readRpc(app), keyRpc(app)].flatMap((rpc) => methods(ManagementService, rpc))
}
