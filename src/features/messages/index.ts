/**
 * What the rooms of users, passwords, passkeys and one-time codes tell people: which mail or text message carries which
 * code, and where its link leads. They declare what they need; this room knows how it is sent.
 */
import type { Document, Store, Work } from '../../store/index.ts'
import {
  CODE_VARIABLES,
  type EnqueueMail,
  ONE_TIME_CODE_VARIABLES,
  PASSKEY_VARIABLES,
  publicLink,
  renderUrlTemplate,
  urlTemplateProblem,
} from '../mail/index.ts'
import type { OneTimeCodeMessages } from '../one-time-codes/index.ts'
import { isLivingOrganization, organizations } from '../organizations/index.ts'
import { type PasskeyMessages, REGISTRATION_LINK } from '../passkeys/index.ts'
import type { PasswordMessages } from '../passwords/index.ts'
import { type EnqueueSms, hasSmsProvider } from '../sms/index.ts'
import type { CodeMessage, HumanUser, Messages } from '../users/index.ts'
import { CODES, type Purpose } from '../verifications/index.ts'

export interface MessagesNeeds {
  readonly store: Store
  /** Where the world finds the server. */
  readonly externalUrl: string
  readonly enqueueMail: EnqueueMail
  readonly enqueueSms: EnqueueSms
}

/** The mails that carry a code: what it proves, and our own page that takes it. */
const CODE_MAILS = {
  verify_email: { purpose: 'email', path: '/verify-email' },
  invitation: { purpose: 'invite', path: '/accept-invitation' },
  password_reset: { purpose: 'password_reset', path: '/set-password' },
} as const satisfies Record<string, { readonly purpose: Purpose; readonly path: string }>

/** With what our pages may not look up, lest they tell who exists: whose rules hold, and which language to speak. */
const QUERY = '?userId={{.UserID}}&code={{.Code}}&orgId={{.OrgID}}'
const LANGUAGE = '&lang={{.Language}}'
const PASSKEY_PAGE = '/ui/passkeys/register?userId={{.UserID}}&codeId={{.CodeID}}&code={{.Code}}&orgId={{.OrgID}}'

/** Every message that a room can ask for. */
export type OpenMessages = Omit<Messages & PasswordMessages, 'mailCode' | 'textCode'> & {
  mailCode(work: Work, type: keyof typeof CODE_MAILS, message: CodeMessage): Promise<void>
  /** For the room of users: the code proves a phone number. */
  textCode(work: Work, message: CodeMessage): Promise<void>
  /** For the room of passwords: the code sets a new one. */
  textResetCode(work: Work, message: CodeMessage): Promise<void>
  /** For the room of passkeys: the code registers one. */
  readonly passkeys: PasskeyMessages
  /** For the room of one-time codes: the code signs in. */
  readonly oneTimeCodes: OneTimeCodeMessages
}

/** Messages as users and passwords need them. */
export function openMessages(needs: MessagesNeeds): OpenMessages {
  const { store, externalUrl, enqueueMail, enqueueSms } = needs

  const aboutUser = async ({ owner, state }: Document<HumanUser>) => {
    const organization = (await store.get(organizations, owner))?.state
    const { firstName, lastName, displayName } = state.profile
    const name = organization !== undefined && isLivingOrganization(organization) ? organization.name : ''
    return { displayName, firstName, lastName, userName: state.userName, organizationName: name }
  }

  const addressed = ({ id: userId, owner: organizationId, state }: Document<HumanUser>) => ({
    to: state.email.address,
    userId,
    organizationId,
    language: state.profile.preferredLanguage,
  })

  const text = async (
    work: Work,
    type: 'verify_phone' | 'password_reset' | 'one_time_code',
    { user, code }: Pick<CodeMessage, 'user' | 'code'>,
  ) => {
    const to = user.state.phone?.number ?? ''
    await enqueueSms(work, { ...addressed(user), type, to, code })
  }

  return {
    urlTemplateProblem: (template) => urlTemplateProblem(template, CODE_VARIABLES),

    async mailCode(work, type, { user, code, urlTemplate, applicationName }) {
      const { purpose, path } = CODE_MAILS[type]
      const values = { Code: code, UserID: user.id, OrgID: user.owner }
      const Language = user.state.profile.preferredLanguage
      const page = `${path}${QUERY}${Language === '' ? '' : LANGUAGE}`
      const link =
        urlTemplate === undefined
          ? publicLink(externalUrl, page, { ...values, Language })
          : renderUrlTemplate(urlTemplate, values)
      await enqueueMail(work, {
        ...addressed(user),
        type,
        values: {
          ...(await aboutUser(user)),
          ...(applicationName !== undefined && { applicationName }),
          link,
          code,
          validForMinutes: CODES[purpose].lifetimeMs / 60_000,
        },
      })
    },

    async mailNotice(work, type, user) {
      await enqueueMail(work, { ...addressed(user), type, values: await aboutUser(user) })
    },

    canText: () => hasSmsProvider(store),
    textCode: (work, message) => text(work, 'verify_phone', message),
    textResetCode: (work, message) => text(work, 'password_reset', message),

    passkeys: {
      urlTemplateProblem: (template) => urlTemplateProblem(template, PASSKEY_VARIABLES),
      async mailLink(work, { user, codeId, code, urlTemplate }) {
        const given = { UserID: user.id, OrgID: user.owner, CodeID: codeId, Code: code }
        const Language = user.state.profile.preferredLanguage
        const page = `${PASSKEY_PAGE}${Language === '' ? '' : LANGUAGE}`
        const link =
          urlTemplate === undefined
            ? publicLink(externalUrl, page, { ...given, Language })
            : renderUrlTemplate(urlTemplate, given)
        const validForMinutes = CODES[REGISTRATION_LINK].lifetimeMs / 60_000
        const values = { ...(await aboutUser(user)), link, code, validForMinutes }
        await enqueueMail(work, { ...addressed(user), type: 'passkey_link', values })
      },
    },

    oneTimeCodes: {
      urlTemplateProblem: (template) => urlTemplateProblem(template, ONE_TIME_CODE_VARIABLES),
      async mailCode(work, { user, code, sessionId, validForMinutes, urlTemplate }) {
        const { profile, userName } = user.state
        const link =
          urlTemplate &&
          renderUrlTemplate(urlTemplate, {
            Code: code,
            UserID: user.id,
            LoginName: userName,
            DisplayName: profile.displayName,
            PreferredLanguage: profile.preferredLanguage,
            SessionID: sessionId,
          })
        const values = { ...(await aboutUser(user)), ...(link && { link }), code, validForMinutes }
        await enqueueMail(work, { ...addressed(user), type: 'one_time_code', values })
      },
      textCode: (work, message) => text(work, 'one_time_code', message),
    },
  }
}
