/** The pages' ports, made of what the rooms offer. Whatever a room refuses looks the same from outside. */
import { formatSetupLink, instanceRefusals, isSetupLinkOpen, useSetupCode } from '../features/instances/index.ts'
import type { Inbox } from '../features/mail/index.ts'
import {
  choosePassword,
  choosePasswordByCode,
  passwordPolicyOf,
  sendPasswordReset,
} from '../features/passwords/index.ts'
import { finishIntent, type IntentsNeeds } from '../features/sign-in-intents/index.ts'
import {
  acceptInvitation,
  findByLoginName,
  type HumanUser,
  inviteAgain,
  readHuman,
  type UsersNeeds,
  userRefusals,
  verifyEmail,
  verifyEmailBy,
} from '../features/users/index.ts'
import { refuseWrongCode } from '../features/verifications/index.ts'
import type { Clock } from '../kernel/instant.ts'
import { Refused, refused } from '../kernel/refusal.ts'
import type { Document, Origin, Work } from '../store/index.ts'
import { type AccountNeeds, openAccount } from './open-account.ts'
import { openExternal } from './open-external.ts'
import { openKeyLinks } from './open-key-links.ts'
import { openSignIn } from './open-sign-in.ts'
import type { Outcome, PagePorts } from './ports.ts'

export interface RoomsForPages extends AccountNeeds {
  readonly users: UsersNeeds
  readonly intents: IntentsNeeds
  readonly inbox: Inbox
  readonly externalUrl: string
  readonly clock: Clock
}

/** Who stands on the events that a page brings about: nobody has signed in there. */
const VISITOR = 'visitor'

/** How many mails the inbox shows. */
const NEWEST = 100

function requireUsable({ status }: HumanUser): void {
  if (status !== 'active' && status !== 'initial') throw refused(userRefusals, 'user.not_active')
}

/** A refusal as an outcome; a fault stays one. */
function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof Refused)) throw error
  return error.kind === 'unavailable' || error.kind === 'aborted' ? 'busy' : 'refused'
}

export function openPagePorts(rooms: RoomsForPages): PagePorts {
  const { users, passwords, intents, inbox, externalUrl, clock } = rooms
  const { store, codes } = users
  const origin = (): Origin => ({ actor: VISITOR, at: clock() })

  /** Sends something to a person who may act; where there is none, nothing. */
  const send = async (userId: string, write: (work: Work, user: Document<HumanUser>) => Promise<unknown>) => {
    try {
      await store.write(origin(), async (work) => {
        const user = await readHuman(work, userId)
        requireUsable(user.state)
        await write(work, user)
      })
    } catch (error) {
      if (outcomeOf(error) === 'busy') throw error
    }
  }

  return {
    async verifyEmail({ userId, code }) {
      try {
        await store.write(origin(), async (work) => {
          requireUsable((await readHuman(work, userId)).state)
          await verifyEmail(users, work, userId, code)
        })
        return 'done'
      } catch (error) {
        return outcomeOf(error)
      }
    },
    sendEmailCode: (userId) => send(userId, (work, user) => verifyEmailBy(users, work, user, { type: 'send' })),

    resetPassword: (given) => choosePasswordByCode(passwords, origin(), given),
    sendPasswordReset: (userId) => sendPasswordReset(passwords, origin(), userId),
    async sendPasswordResetTo(userName) {
      const user = await findByLoginName(store, userName)
      if (user !== undefined) await sendPasswordReset(passwords, origin(), user.id)
    },

    acceptInvitation: (given) =>
      choosePassword(passwords, origin(), given, async ({ id: userId, owner, state }) => {
        requireUsable(state)
        const what = { userId, owner, purpose: 'invite', target: state.email.address, code: given.code } as const
        await store.write(origin(), (work) => refuseWrongCode(codes, work, what))
        return async (work) => {
          const user = await readHuman(work, userId)
          requireUsable(user.state)
          await acceptInvitation(users, work, user, given.code)
        }
      }),
    sendInvitation: (userId) => send(userId, (work, user) => inviteAgain(users, work, user)),

    setUp: (given) =>
      choosePassword(passwords, origin(), given, async ({ id, state }) => {
        requireUsable(state)
        if (!(await isSetupLinkOpen(store, formatSetupLink(externalUrl, id, given.code)))) {
          throw refused(instanceRefusals, 'instance.setup_code_invalid')
        }
        return (work) => useSetupCode(work, id, given.code)
      }),

    passwordPolicy: (organizationId) => passwordPolicyOf(passwords, organizationId),

    async finishSignIn(returned) {
      try {
        return await finishIntent(intents, returned)
      } catch (error) {
        return { type: outcomeOf(error) === 'busy' ? 'busy' : 'unknown' }
      }
    },

    inbox: {
      isOpen: () => inbox.isOpen(),
      list: async () =>
        (await inbox.list({ limit: NEWEST })).mails.map(({ id, to, subject, createdAt }) => ({
          id,
          to,
          subject,
          at: createdAt,
        })),
      async read(id) {
        const mail = await inbox.read(id)
        return mail && { ...mail, at: mail.createdAt }
      },
    },

    signIn: openSignIn(rooms.sessions, clock),
    external: openExternal(rooms, clock),
    account: openAccount(rooms, clock),
    keyLinks: openKeyLinks(rooms.passkeys, externalUrl, clock),
  }
}
