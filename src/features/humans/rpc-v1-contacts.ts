/** The v1 methods for the profile, the username, the email address and the phone number of a human user, or of oneself. */
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import type { Gender as GenderV1 } from '../../../contract/gen/signet/user/v1/user_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { detailsV1 } from '../../module/details.ts'
import type { Document } from '../../store/index.ts'
import {
  checkUserName,
  emailV1,
  genders,
  type HumanUser,
  type LivingUser,
  phoneV1,
  profileV1,
  readHuman,
  refuseProblems,
  requireHuman,
  userForCaller,
  userOfOrganization,
  userOfOrganizationToChange,
  userToChange,
} from '../users/index.ts'
import { emailProblems, verificationV1 } from './contact.ts'
import {
  removePhoneFor,
  sendEmailCodeFor,
  sendPhoneCodeFor,
  setEmailFor,
  setPhoneFor,
  verifyEmailFor,
  verifyPhoneFor,
} from './contacts.ts'
import { changeEmail, changeHuman } from './handlers/change-human.ts'
import { inviteAgain, requireNotSetUp } from './handlers/invite-human.ts'
import { profileProblems } from './profile.ts'

const DEFAULT = { type: 'default' } as const

interface ProfileMessage {
  readonly firstName: string
  readonly lastName: string
  readonly nickName: string
  readonly displayName: string
  readonly preferredLanguage: string
  readonly gender: GenderV1
}

function showProfile({ externalUrl }: App, user: Document<HumanUser>) {
  return { details: detailsV1(user), profile: profileV1(user.state, externalUrl) }
}

function showEmail(user: Document<HumanUser>) {
  return { details: detailsV1(user), email: emailV1(user.state) }
}

function showPhone(user: Document<HumanUser>) {
  const phone = phoneV1(user.state)
  return { details: detailsV1(user), ...(phone && { phone }) }
}

async function replaceProfile(app: App, call: Call, user: Document<LivingUser>, message: ProfileMessage) {
  const { firstName, lastName, nickName, displayName, preferredLanguage } = message
  const texts = { firstName, lastName, nickName, displayName, preferredLanguage }
  refuseProblems(profileProblems(texts, ''))
  const profile = { ...texts, gender: genders.read(message.gender) }
  const { value } = await changeHuman(app, call, user, { profile }, '')
  return { details: detailsV1(value.user) }
}

function authRpc(app: App): Implementation<typeof AuthService> {
  const own = ({ caller }: Call) => caller.userId
  const oneself = async (call: Call) => requireHuman(await userForCaller(app, call, own(call)))
  return {
    getMyProfile: async (_, call) => showProfile(app, await oneself(call)),
    updateMyProfile: async (message, call) =>
      replaceProfile(app, call, await userToChange(app, call, own(call)), message),
    async updateMyUserName({ userName }, call) {
      const user = await userToChange(app, call, own(call))
      checkUserName('userName', userName)
      const { value } = await changeHuman(app, call, user, { userName }, '')
      return { details: detailsV1(value.user) }
    },

    getMyEmail: async (_, call) => showEmail(await oneself(call)),
    setMyEmail: ({ email }, call) => setEmailFor(app, call, own(call), { address: email, verification: DEFAULT }),
    verifyMyEmail: ({ code }, call) => verifyEmailFor(app, call, own(call), code),
    resendMyEmailVerification: (_, call) =>
      sendEmailCodeFor(app, call, own(call), { verification: DEFAULT, isAgain: true }),

    getMyPhone: async (_, call) => showPhone(await oneself(call)),
    setMyPhone: ({ phone }, call) => setPhoneFor(app, call, own(call), { text: phone, verification: DEFAULT }),
    verifyMyPhone: ({ code }, call) => verifyPhoneFor(app, call, own(call), code),
    resendMyPhoneVerification: (_, call) => sendPhoneCodeFor(app, call, own(call), DEFAULT),
    removeMyPhone: (_, call) => removePhoneFor(app, call, own(call)),
  }
}

/** Invites a user again who has not set up a way to sign in, at another address if one is given. */
async function resendInvitation(app: App, call: Call, userId: string, address: string) {
  requireHuman(await userOfOrganizationToChange(app, call, userId))
  if (address !== '') refuseProblems(emailProblems({ address, verification: DEFAULT }, ''))
  await requireNotSetUp(app, userId)
  const { value } = await app.store.write(call.origin, async (work) => {
    const unverified = { address, verification: { type: 'known', isVerified: false } } as const
    if (address !== '') await changeEmail(app, work, userId, unverified)
    await inviteAgain(app, work, await readHuman(work, userId))
    return readHuman(work, userId)
  })
  return { details: detailsV1(value) }
}

function managementRpc(app: App): Implementation<typeof ManagementService> {
  const human = async (call: Call, userId: string) => requireHuman(await userOfOrganization(app, call, userId))
  return {
    getHumanProfile: async ({ userId }, call) => showProfile(app, await human(call, userId)),
    updateHumanProfile: async (message, call) =>
      replaceProfile(app, call, await userOfOrganizationToChange(app, call, message.userId), message),

    getHumanEmail: async ({ userId }, call) => showEmail(await human(call, userId)),
    async updateHumanEmail({ userId, email: address, isEmailVerified }, call) {
      await userOfOrganizationToChange(app, call, userId)
      return setEmailFor(app, call, userId, { address, verification: verificationV1(isEmailVerified) })
    },
    async resendHumanEmailVerification({ userId }, call) {
      await userOfOrganization(app, call, userId)
      return sendEmailCodeFor(app, call, userId, { verification: DEFAULT, isAgain: true })
    },
    resendHumanInitialization: ({ userId, email }, call) => resendInvitation(app, call, userId, email),

    getHumanPhone: async ({ userId }, call) => showPhone(await human(call, userId)),
    async updateHumanPhone({ userId, phone, isPhoneVerified }, call) {
      await userOfOrganizationToChange(app, call, userId)
      return setPhoneFor(app, call, userId, { text: phone, verification: verificationV1(isPhoneVerified) })
    },
    async removeHumanPhone({ userId }, call) {
      await userOfOrganizationToChange(app, call, userId)
      return removePhoneFor(app, call, userId)
    },
    async resendHumanPhoneVerification({ userId }, call) {
      await userOfOrganization(app, call, userId)
      return sendPhoneCodeFor(app, call, userId, DEFAULT)
    },
  }
}

/** The v1 methods for profiles, usernames and contacts. */
export function contactMethodsV1(app: App): readonly Method[] {
  return [...methods(AuthService, authRpc(app)), ...methods(ManagementService, managementRpc(app))]
}
