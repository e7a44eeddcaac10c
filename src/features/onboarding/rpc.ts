/** Adding organizations, in the v1 and v2 services. */
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { detailsV2, writtenV1 } from '../../module/details.ts'
import { addOrganization } from './handlers/add-organization.ts'

/** The methods of this module. */
export function onboardingMethods(app: App): readonly Method[] {
  return [
    ...methods(ManagementService, {
      async addOrg({ name }, call) {
        const written = await addOrganization(app, call, { name })
        const { organization } = written.value
        return { id: organization.id, details: writtenV1({ ...written, value: organization }) }
      },
    }),
    ...methods(OrganizationService, {
      async addOrganization({ name, organizationId, admins }, call) {
        const administrators = admins.map(({ userType, roles }) =>
          userType.case === 'human' ? { human: userType.value, roles } : { userId: userType.value ?? '', roles },
        )
        const { value } = await addOrganization(app, call, { name, id: organizationId, administrators })
        const { organization, created } = value
        return {
          details: detailsV2(organization),
          organizationId: organization.id,
          createdAdmins: created.map(({ userId, emailCode, phoneCode }) => ({
            userId,
            ...(emailCode !== undefined && { emailCode }),
            ...(phoneCode !== undefined && { phoneCode }),
          })),
        }
      },
    }),
  ]
}
