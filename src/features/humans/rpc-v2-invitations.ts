/** Invitations in the v2 service. */
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { detailsV2, touchedV2 } from '../../module/details.ts'
import type { Work } from '../../store/index.ts'
import { type AskedDelivery, decideDelivery, urlTemplateProblem } from '../messages/index.ts'
import { lineProblem, problem, readHuman, refuseProblems, requireHuman, userToChange } from '../users/index.ts'
import { humanForCode } from './contacts.ts'
import { acceptInvitation, inviteAgain, inviteByCode, inviteByMail, requireNotSetUp } from './handlers/invite-human.ts'

function invitationsRpc(app: App): Implementation<typeof UserService> {
  return {
    async createInviteCode({ userId, verification }, call) {
      const invited = requireHuman(await userToChange(app, call, userId))
      const mail = verification.case === 'sendCode' ? verification.value : undefined
      const asked: AskedDelivery =
        verification.case === 'returnCode' ? { type: 'return' } : { type: 'send', urlTemplate: mail?.urlTemplate }
      const delivery = await decideDelivery(app, call, invited, asked)
      const applicationName = mail?.applicationName
      const linkProblem = mail?.urlTemplate === undefined ? undefined : urlTemplateProblem(mail.urlTemplate)
      const nameProblem = applicationName === undefined ? undefined : lineProblem(applicationName)
      refuseProblems([
        ...problem('user.url_template_invalid', 'sendCode.urlTemplate', linkProblem),
        ...problem('user.field_invalid', 'sendCode.applicationName', nameProblem),
      ])
      await requireNotSetUp(app, userId)
      const invite = async (work: Work): Promise<string | undefined> => {
        const user = await readHuman(work, userId)
        if (delivery.type === 'return') return inviteByCode(app, work, user, delivery)
        await inviteByMail(app, work, user, { urlTemplate: delivery.urlTemplate, applicationName })
        return undefined
      }
      const { value } = await app.store.write(call.origin, async (work) => {
        const code = await invite(work)
        return { code, user: await readHuman(work, userId) }
      })
      const inviteCode = value.code
      return { details: touchedV2(value.user, call.at), ...(inviteCode !== undefined && { inviteCode }) }
    },

    async resendInviteCode({ userId }, call) {
      requireHuman(await userToChange(app, call, userId))
      await requireNotSetUp(app, userId)
      const { value } = await app.store.write(call.origin, async (work) => {
        await inviteAgain(app, work, await readHuman(work, userId))
        return readHuman(work, userId)
      })
      return { details: detailsV2(value) }
    },

    async verifyInviteCode({ userId, verificationCode }, call) {
      await humanForCode(app, call, userId)
      const { value } = await app.store.write(call.origin, async (work) =>
        acceptInvitation(app, work, await readHuman(work, userId), verificationCode),
      )
      return { details: detailsV2(value) }
    },
  }
}

/** The methods about invitations. */
export function invitationMethods(app: App): readonly Method[] {
  return methods(UserService, invitationsRpc(app))
}
