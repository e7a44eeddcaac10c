/** Codes that are mailed or sent, and the links that carry them: rows of the matrix of things that count once. */
import assert from 'node:assert/strict'
import { acceptInvitationByCode, resetPasswordByCode, setUpByLink } from '../../src/features/account/index.ts'
import { issueSetupLink, newSetupLink } from '../../src/features/instances/index.ts'
import { Refused } from '../../src/kernel/refusal.ts'
import { newAuthenticator } from '../support/authenticator.ts'
import { ORIGIN } from '../support/session-world.ts'
import { EXTERNAL_URL } from '../support/world.ts'
import { type Artefact, none, type Row } from './artefact.ts'
import { type Node, otherCode, returnCode, type Scene, users } from './scene.ts'

const HOUR = 3_600_000
const NEW = 'quite another secret'

type Purpose = 'email' | 'phone' | 'invite' | 'password_reset'

/** Makes a code for a person. */
export async function makeCode({ call, owner }: Scene, userId: string, purpose: Purpose): Promise<string> {
  switch (purpose) {
    case 'email':
      return (await call(users.sendEmailCode, { userId, verification: returnCode }, owner)).verificationCode ?? ''
    case 'phone':
      return (await call(users.resendPhoneCode, { userId, verification: returnCode }, owner)).verificationCode ?? ''
    case 'invite':
      return (await call(users.createInviteCode, { userId, verification: returnCode }, owner)).inviteCode ?? ''
    case 'password_reset':
      return (await call(users.passwordReset, { userId, medium: returnCode }, owner)).verificationCode ?? ''
  }
}

type Show = (scene: Scene, on: Node, userId: string, code: string) => Promise<unknown>

const chosen = { case: 'password', value: { password: NEW } } as const
function shownCode(value: string) {
  return { case: 'verificationCode', value } as const
}

const showEmail: Show = ({ owner }, { call }, userId, verificationCode) =>
  call(users.verifyEmail, { userId, verificationCode }, owner)
const showPhone: Show = ({ owner }, { call }, userId, verificationCode) =>
  call(users.verifyPhone, { userId, verificationCode }, owner)
const showInvite: Show = ({ owner }, { call }, userId, verificationCode) =>
  call(users.verifyInviteCode, { userId, verificationCode }, owner)
const showReset: Show = ({ owner }, { call }, userId, code) =>
  call(users.setPassword, { userId, newPassword: { password: NEW }, verification: shownCode(code) }, owner)
const showResetInPerson: Show = ({ owner }, { call }, userId, code) =>
  call(users.updateHumanUser, { userId, password: { passwordType: chosen, verification: shownCode(code) } }, owner)
const showResetInUser: Show = ({ owner }, { call }, userId, code) => {
  const password = { passwordType: chosen, verification: shownCode(code) }
  return call(users.updateUser, { userId, userType: { case: 'human', value: { password } } }, owner)
}

const SHOWN: Readonly<Record<Purpose, Show>> = {
  email: showEmail,
  phone: showPhone,
  invite: showInvite,
  password_reset: showReset,
}

const ANYBODY = 'the holder of the code may show it, signed in as any user'

const CODE_ROW: Row = {
  reuse: 'verification.code_invalid',
  losers: ['verification.code_invalid'],
  otherUser: 'verification.code_invalid',
  otherSession: none(ANYBODY),
  otherPurpose: 'verification.code_invalid',
  expired: 'verification.code_invalid',
  afterFailures: ['attempts.too_many', 'verification.code_invalid'],
  // With a password comes the question whether the user is active, before the code is looked at.
  afterDeactivation: 'user.not_active',
}

const SENT_ROW: Row = { ...CODE_ROW, afterDeactivation: 'verification.code_invalid' }

function codeArtefact(name: string, purpose: Purpose, way: string, show: Show, lifetimeMs = HOUR): Artefact {
  return {
    name,
    way,
    row: purpose === 'password_reset' ? CODE_ROW : SENT_ROW,
    async issue(scene) {
      const userId = await scene.addHuman()
      const other = await scene.addHuman()
      const others = (Object.keys(SHOWN) as Purpose[]).filter((one) => one !== purpose)
      // Each purpose has a code of its own that waits: where none is open, nothing would be compared.
      for (const one of others) await makeCode(scene, userId, one)
      await makeCode(scene, other, purpose)
      const code = await makeCode(scene, userId, purpose)
      return {
        userId,
        lifetimeMs,
        use: (on) => show(scene, on, userId, code),
        fail: (on) => show(scene, on, userId, otherCode(code)),
        forOtherUsers: [() => show(scene, scene.there, other, code)],
        forOtherPurposes: others.map((one) => () => SHOWN[one](scene, scene.there, userId, code)),
      }
    },
  }
}

async function makeLink({ call, owner }: Scene, userId: string) {
  return (
    (await call(users.createPasskeyRegistrationLink, { userId, medium: returnCode }, owner)).code ??
    assert.fail('there is no code')
  )
}

const link: Artefact = {
  name: 'passkey registration code',
  way: 'RegisterPasskey code.code',
  row: {
    ...SENT_ROW,
    // A link begins as many registrations as it is shown for, the last one counts, and one is finished.
    losers: ['verification.code_invalid', 'passkey.not_found'],
  },
  async issue(scene) {
    const { nobody } = scene
    const userId = await scene.addHuman()
    const other = await scene.addHuman()
    await makeCode(scene, userId, 'password_reset')
    await makeLink(scene, other)
    const code = await makeLink(scene, userId)
    const begin = (on: Node, whose: string, text = code.code) =>
      on.call(users.registerPasskey, { userId: whose, code: { id: code.id, code: text } }, scene.owner)
    return {
      userId,
      lifetimeMs: HOUR,
      async use(on) {
        const { passkeyId, publicKeyCredentialCreationOptions: options } = await begin(on, userId)
        const publicKeyCredential = newAuthenticator().create(options ?? {}, { origin: ORIGIN })
        const given = { userId, passkeyId, passkeyName: 'A key', publicKeyCredential }
        await on.call(users.verifyPasskeyRegistration, given, scene.owner)
      },
      fail: (on) => begin(on, userId, otherCode(code.code)),
      forOtherUsers: [() => begin(scene.there, other)],
      forOtherPurposes: [
        () => showReset(scene, scene.there, userId, code.code),
        () => showEmail({ ...scene, owner: nobody }, scene.there, userId, code.code),
      ],
    }
  },
}

/** A page says only that it did nothing. */
async function done(outcome: Promise<{ readonly outcome: string }>): Promise<void> {
  const told = await outcome
  if (told.outcome !== 'done') throw new Refused(`page.${told.outcome}`, 'invalid', 'The page refused.')
}

const setUpLink: Artefact = {
  name: 'set-up link',
  way: '',
  row: {
    ...CODE_ROW,
    reuse: 'page.refused',
    losers: ['page.refused', 'page.busy'],
    otherUser: 'page.refused',
    otherSession: none('nobody is signed in who sets up'),
    otherPurpose: 'page.refused',
    expired: 'page.refused',
    afterFailures: none('160 random bits cannot be guessed, and wrong ones count for nobody'),
    afterDeactivation: 'page.refused',
  },
  async issue(scene) {
    const issueFor = async (userId: string): Promise<string> => {
      const made = newSetupLink(EXTERNAL_URL, userId, scene.clock.now)
      const origin = { actor: 'server', at: scene.clock.now } as const
      await scene.store.write(origin, (work) => issueSetupLink(work, scene.instanceId, userId, made))
      return new URL(made.url).searchParams.get('code') ?? ''
    }
    const [userId, other] = [await scene.addHuman(), await scene.addHuman()]
    await makeCode(scene, userId, 'invite')
    await makeCode(scene, userId, 'password_reset')
    await issueFor(other)
    const given = { userId, code: await issueFor(userId), password: NEW }
    const { app } = scene.there
    return {
      userId,
      lifetimeMs: 7 * 24 * HOUR,
      use: (on) => done(setUpByLink(on.app, given)),
      forOtherUsers: [() => done(setUpByLink(app, { ...given, userId: other }))],
      forOtherPurposes: [() => done(acceptInvitationByCode(app, given)), () => done(resetPasswordByCode(app, given))],
    }
  },
}

/** All of them. */
export const codeArtefacts: readonly Artefact[] = [
  codeArtefact('e-mail code', 'email', 'VerifyEmail verificationCode', showEmail),
  codeArtefact('phone code', 'phone', 'VerifyPhone verificationCode', showPhone),
  codeArtefact('invite code', 'invite', 'VerifyInviteCode verificationCode', showInvite, 72 * HOUR),
  codeArtefact('password reset code', 'password_reset', 'SetPassword verificationCode', showReset),
  codeArtefact('password reset code', 'password_reset', 'UpdateHumanUser password.verificationCode', showResetInPerson),
  codeArtefact('password reset code', 'password_reset', 'UpdateUser human.password.verificationCode', showResetInUser),
  link,
  setUpLink,
]
