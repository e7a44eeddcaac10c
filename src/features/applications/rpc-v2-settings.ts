/** The settings that apply to an organization, a project or an application: those of the organization, which has them. */
import type { GetEffectiveSettingsRequest } from '../../../contract/gen/signet/settings/v2/link_settings_pb.ts'
import { SettingsService } from '../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { requireOrganization } from '../organizations/index.ts'
import { projectForCaller } from '../projects/index.ts'
import { effectiveLinks } from '../settings/index.ts'
import { applicationForCaller } from './find-application.ts'

/** The organization that a request means: the one it names, or that of the application or the project. */
async function organizationOf(app: App, call: Call, request: GetEffectiveSettingsRequest): Promise<string> {
  const { organizationId = '', projectId = '', applicationId = '' } = request
  if (organizationId !== '') {
    call.authorize(organizationId)
    return (await requireOrganization(app, organizationId)).id
  }
  if (applicationId !== '') return (await applicationForCaller(app, call, applicationId, projectId || undefined)).owner
  if (projectId !== '') return (await projectForCaller(app, call, projectId)).owner
  call.authorize(call.organizationId)
  return call.organizationId
}

/** GetEffectiveSettings. There is one type of settings, so it does not matter which are asked for. */
export function effectiveSettingsMethods(app: App): readonly Method[] {
  return methods(SettingsService, {
    async getEffectiveSettings(request, call) {
      return { links: { links: await effectiveLinks(app, await organizationOf(app, call, request)) } }
    },
  })
}
