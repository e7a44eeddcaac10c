/** Invitations, and the ways in which people can sign in, in the v2 service. */
import { AuthenticationMethodType } from '../../../contract/gen/signet/user/v2/authentication_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { detailsV2, listDetailsV2, touchedV2 } from '../../access/details.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import type { Work } from '../../store/index.ts'
import { readHuman, requireHuman } from './changing-humans.ts'
import { userForCaller } from './finding.ts'
import { acceptInvitation, inviteAgain, inviteByCode, inviteByMail, requireNotSetUp } from './inviting.ts'
import { lineProblem } from './names.ts'
import type { AuthenticationMethod, UsersNeeds } from './needs.ts'
import { problem, refuseProblems } from './problems.ts'
import { humanForCode } from './rpc-v2-contacts.ts'

const METHOD_TYPES: Readonly<Record<AuthenticationMethod, AuthenticationMethodType>> = {
  password: AuthenticationMethodType.PASSWORD,
  passkey: AuthenticationMethodType.PASSKEY,
  idp: AuthenticationMethodType.IDP,
  totp: AuthenticationMethodType.TOTP,
  u2f: AuthenticationMethodType.U2F,
  otp_sms: AuthenticationMethodType.OTP_SMS,
  otp_email: AuthenticationMethodType.OTP_EMAIL,
  recovery_code: AuthenticationMethodType.RECOVERY_CODE,
}

function invitationsRpc(needs: UsersNeeds): Implementation<typeof UserService> {
  const { store } = needs
  return {
    async createInviteCode({ userId, verification }, call) {
      requireHuman(await userForCaller(store, call, userId))
      await needs.checkCovered(call, userId)
      const mail = verification.case === 'sendCode' ? verification.value : undefined
      const [urlTemplate, applicationName] = [mail?.urlTemplate, mail?.applicationName]
      const linkProblem = urlTemplate === undefined ? undefined : needs.messages.urlTemplateProblem(urlTemplate)
      const nameProblem = applicationName === undefined ? undefined : lineProblem(applicationName)
      refuseProblems([
        ...problem('user.url_template_invalid', 'sendCode.urlTemplate', linkProblem),
        ...problem('user.field_invalid', 'sendCode.applicationName', nameProblem),
      ])
      await requireNotSetUp(needs, userId)
      const invite = async (work: Work): Promise<string | undefined> => {
        const user = await readHuman(work, userId)
        if (verification.case === 'returnCode') return inviteByCode(needs, work, user)
        await inviteByMail(needs, work, user, { urlTemplate, applicationName })
        return undefined
      }
      const { value, sequence } = await store.write(call.origin, async (work) => {
        const code = await invite(work)
        return { code, user: await readHuman(work, userId) }
      })
      const inviteCode = value.code
      return { details: touchedV2(value.user, sequence, call.at), ...(inviteCode !== undefined && { inviteCode }) }
    },

    async resendInviteCode({ userId }, call) {
      requireHuman(await userForCaller(store, call, userId))
      await needs.checkCovered(call, userId)
      await requireNotSetUp(needs, userId)
      const { value, sequence } = await store.write(call.origin, async (work) => {
        await inviteAgain(needs, work, await readHuman(work, userId))
        return readHuman(work, userId)
      })
      return { details: detailsV2(value, sequence) }
    },

    async verifyInviteCode({ userId, verificationCode }, call) {
      await humanForCode(needs, call, userId)
      const { value, sequence } = await store.write(call.origin, async (work) =>
        acceptInvitation(needs, work, await readHuman(work, userId), verificationCode),
      )
      return { details: detailsV2(value, sequence) }
    },

    async listAuthenticationMethodTypes({ userId, domainQuery }, call) {
      const user = await userForCaller(store, call, userId)
      const domain = domainQuery && { name: domainQuery.domain, withUnbound: domainQuery.includeWithoutDomain }
      const found = await Promise.all(needs.authenticationMethods.map((find) => find(userId, domain)))
      const authMethodTypes = [...new Set(found.flat())].map((method) => METHOD_TYPES[method]).sort((a, b) => a - b)
      const page = { total: authMethodTypes.length, sequence: user.sequence }
      return { details: listDetailsV2(page, call.at), authMethodTypes }
    },
  }
}

/** The methods about invitations and ways to sign in. */
export function invitationMethodsV2(needs: UsersNeeds): readonly Method[] {
  return methods(UserService, invitationsRpc(needs))
}
