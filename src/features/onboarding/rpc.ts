/** Adding organizations, alone or with new administrators, in the v1 and v2 services. */
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { detailsV1, detailsV2, writtenV1 } from '../../module/details.ts'
import { draftOfHuman, draftOfHumanV1, fieldsOfHuman } from '../humans/index.ts'
import { addOrganization } from './handlers/add-organization.ts'

/** The methods of this module. */
export function onboardingMethods(app: App): readonly Method[] {
  return [
    ...methods(AdminService, {
      async setUpOrg({ org, user, roles }, call) {
        const { name = '', domain = '' } = org ?? {}
        const asked = domain === '' ? undefined : { name: domain, field: 'org.domain' }
        const fields = { prefix: 'human.', outer: 'human.', userName: 'userName' } as const
        const { password: plain = '', ...human } = user.value ?? { userName: '' }
        // It need not be changed, as in AddOrganization.
        const password =
          plain === '' ? undefined : { password: { plain }, changeRequired: false, field: 'human.password' }
        const administrators = [{ human: draftOfHumanV1(human, password), fields, roles }]
        const { value } = await addOrganization(app, call, { name, domain: asked, administrators })
        const { organization, created } = value
        return { details: detailsV1(organization), orgId: organization.id, userId: created[0]?.userId ?? '' }
      },
    }),
    ...methods(ManagementService, {
      async addOrg({ name }, call) {
        const written = await addOrganization(app, call, { name })
        const { organization } = written.value
        return { id: organization.id, details: writtenV1({ ...written, value: organization }) }
      },
    }),
    ...methods(OrganizationService, {
      async addOrganization({ name, organizationId, admins }, call) {
        const administrators = admins.map(({ userType, roles }, index) => {
          if (userType.case !== 'human') return { userId: userType.value ?? '', roles }
          const fields = fieldsOfHuman(`admins[${index}].human.`)
          return { human: draftOfHuman(userType.value, fields), fields, roles }
        })
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
