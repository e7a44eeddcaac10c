/**
 * Human users: adding, importing and changing them, their email addresses and phone numbers, invitations, links and
 * metadata. It also serves the methods that read users, because their responses contain password data, which `users`
 * does not have.
 */
import { module } from '../../module/module.ts'
import { carriedHumans, carriedLinks } from './carried.ts'
import { metadataMethods } from './rpc-metadata.ts'
import { humanMethodsV1 } from './rpc-v1.ts'
import { contactMethodsV1 } from './rpc-v1-contacts.ts'
import { importMethodsV1 } from './rpc-v1-import.ts'
import { linkMethodsV1 } from './rpc-v1-links.ts'
import { humanMethodsV2 } from './rpc-v2.ts'
import { contactMethods } from './rpc-v2-contacts.ts'
import { invitationMethods } from './rpc-v2-invitations.ts'
import { linkMethods } from './rpc-v2-links.ts'

export const humansModule = module({
  name: 'humans',
  kinds: [carriedHumans, carriedLinks],
  methods: (app) => [
    ...humanMethodsV1(app),
    ...contactMethodsV1(app),
    ...importMethodsV1(app),
    ...linkMethodsV1(app),
    ...humanMethodsV2(app),
    ...contactMethods(app),
    ...invitationMethods(app),
    ...linkMethods(app),
    ...metadataMethods(app),
  ],
})

export { type AuthenticationMethod, authenticationMethodsOf } from './authentication-methods.ts'
export type { CarriedHuman } from './carried.ts'
export { emailProblem, phoneNumber } from './contact.ts'
export { draftOfHuman, fieldsOfHuman } from './drafts-v2.ts'
export { addHuman, type DraftFields, type HumanDraft, type PreparedHuman, prepareHuman } from './handlers/add-human.ts'
export { changeHuman, type HumanChange } from './handlers/change-human.ts'
export { acceptInvitation, sendInvitationCode } from './handlers/invite-human.ts'
export { type Contact, confirmContact, findNewContact, replaceContact } from './handlers/replace-contact.ts'
export { verifyEmail, verifyEmailBy } from './handlers/verify-contact.ts'
export { changedProfile, profileProblems } from './profile.ts'
export { draftOfHumanV1 } from './rpc-v1.ts'
export { addHumanUser } from './rpc-v2.ts'
