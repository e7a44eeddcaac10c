/** The v1 method that adds a human user with credentials from another system. */
import { durationFromMs } from '@bufbuild/protobuf/wkt'
import type {
  ImportHumanUserRequest,
  ImportHumanUserRequest_Profile,
} from '../../../contract/gen/signet/management/v1/import_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { detailsV1 } from '../../module/details.ts'
import { deliveryToNewUser } from '../messages/index.ts'
import { createLinkAddress } from '../passkeys/index.ts'
import { genders, userRefusals } from '../users/index.ts'
import { verificationV1 } from './contact.ts'
import {
  addHuman,
  type DraftFields,
  type GivenPassword,
  type HumanDraft,
  linkSpeaker,
  prepareHuman,
} from './handlers/add-human.ts'
import { languageTag, type ProfileChange } from './profile.ts'

function passwordOf(message: ImportHumanUserRequest): GivenPassword | undefined {
  const { password, hashedPassword, passwordChangeRequired: changeRequired } = message
  if (password !== '' && hashedPassword !== undefined) {
    const violations = [{ field: 'hashedPassword', description: 'must not be given together with password' }]
    throw refused(userRefusals, 'user.field_invalid', { violations })
  }
  if (hashedPassword !== undefined) {
    return { password: { hash: hashedPassword.value }, changeRequired, field: 'hashedPassword.value' }
  }
  return password === '' ? undefined : { password: { plain: password }, changeRequired, field: 'password' }
}

/** Either all codes or all hashes: one set is checked in one way. */
function recoveryCodesOf(given: ImportHumanUserRequest['recoveryCodes']): HumanDraft['recoveryCodes'] {
  if (given.length === 0) return undefined
  const raw = given.flatMap(({ code }) => (code.case === 'raw' ? [code.value] : []))
  const hashes = given.flatMap(({ code }) => (code.case === 'hash' ? [code.value] : []))
  if (raw.length > 0 && hashes.length > 0) {
    const violations = [{ field: 'recoveryCodes', description: 'must be either all codes or all hashes' }]
    throw refused(userRefusals, 'user.field_invalid', { violations })
  }
  return raw.length > 0 ? { raw } : { hashes }
}

/** The profile of a user who moves in; a language that is none is left out, because nobody can choose it again there. */
function profileOf({ gender, preferredLanguage, ...names }: ImportHumanUserRequest_Profile): ProfileChange {
  return { ...names, gender: genders.read(gender), preferredLanguage: languageTag(preferredLanguage) ?? '' }
}

function draftOf(message: ImportHumanUserRequest): HumanDraft {
  const { userName, profile, email, phone, otpCode, idps } = message
  const password = passwordOf(message)
  return {
    userName,
    profile: profile === undefined ? {} : profileOf(profile),
    email: { address: email?.email ?? '', verification: verificationV1(email?.isEmailVerified === true) },
    phone: phone && { text: phone.phone, verification: verificationV1(phone.isPhoneVerified) },
    password,
    totpSecret: otpCode === '' ? undefined : otpCode,
    recoveryCodes: recoveryCodesOf(message.recoveryCodes),
    links: idps.map(({ configId, externalUserId, displayName }) => ({
      idpId: configId,
      externalUserId,
      externalUserName: displayName,
    })),
    // A user without any way to sign in is invited to set one up.
    needsSetUp: password === undefined && idps.length === 0 && !message.requestPasswordlessRegistration,
  }
}

const FIELDS: DraftFields = {
  prefix: '',
  outer: '',
  userName: 'userName',
  totpSecret: 'otpCode',
  links: { list: 'idps', idpId: 'configId', userId: 'externalUserId', userName: 'displayName' },
}

/** ImportHumanUser. */
export function importMethodsV1(app: App): readonly Method[] {
  return methods(ManagementService, {
    async importHumanUser(message, call) {
      const draft = { ...draftOf(message), linkSpeaker: linkSpeaker(app, call) }
      const prepared = await prepareHuman(app, call.organizationId, draft, FIELDS)
      const { value } = await app.store.write(call.origin, (work) => addHuman(app, work, prepared))
      const { id: userId } = value.user
      const added = { userId, details: detailsV1(value.user) }
      if (!message.requestPasswordlessRegistration) return added
      const { link, lifetimeMs } = await createLinkAddress(
        app,
        call.origin,
        userId,
        deliveryToNewUser({ type: 'return' }),
      )
      const lifetime = durationFromMs(lifetimeMs)
      return { ...added, passwordlessRegistration: { link, lifetime, expiration: lifetime } }
    },
  })
}
