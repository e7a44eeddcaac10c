/** How an account at a provider becomes somebody's: linked by a person who is here already, or with a person who is new. */
import { addIdentityLink } from '../features/identity-links/index.ts'
import { findProvider } from '../features/identity-providers/index.ts'
import {
  checkIntent,
  draftOfPerson,
  emailOf,
  intents as intentKind,
  intentRefusals,
  type RetrievedIntent,
} from '../features/sign-in-intents/index.ts'
import { addHuman, canonicalName, fieldsOfHuman, prepareHuman, readHuman } from '../features/users/index.ts'
import { foldText } from '../kernel/fold-text.ts'
import type { Clock } from '../kernel/instant.ts'
import { Refused, refused } from '../kernel/refusal.ts'
import type { Work } from '../store/index.ts'
import type { ExternalPort, ForeignProof, Registration, RegistrationField } from './external-ports.ts'
import { failureOf } from './failures.ts'
import type { ExternalNeeds, Providers } from './open-providers.ts'

const VISITOR = 'visitor'

/** The address that the provider vouches for. */
function verifiedEmailOf({ identity, provider }: RetrievedIntent): string | undefined {
  const email = emailOf(identity.claims, provider)
  return email?.isVerified === true ? email.address : undefined
}

/**
 * Whether a user name may be asked for at all. Where names are addresses, a name that is taken would tell whose address
 * has an account: so the only address that can be a name is one's own.
 */
function mayBeName(userName: string, ownEmail: string | undefined): boolean {
  return (
    !foldText(userName).includes('@') || (ownEmail !== undefined && canonicalName(userName) === canonicalName(ownEmail))
  )
}

/** What the provider tells about somebody new, as far as it can be used. */
export function knownOf(retrieved: RetrievedIntent): Registration {
  const { intent, identity, provider } = retrieved
  const draft = draftOfPerson(identity.claims, provider)
  const name = draft?.userName ?? intent.state.externalUserName
  return {
    firstName: draft?.profile.firstName ?? '',
    lastName: draft?.profile.lastName ?? '',
    userName: mayBeName(name, verifiedEmailOf(retrieved)) ? name : (foldText(name).split('@', 1)[0] ?? ''),
    email: emailOf(identity.claims, provider)?.address ?? '',
  }
}

/** The form's fields by the names that the room of users has for them. */
const FIELDS: Readonly<Record<string, RegistrationField>> = {
  username: 'userName',
  'profile.firstName': 'firstName',
  'profile.lastName': 'lastName',
  'email.email': 'email',
}

function mistakenFields(error: unknown): readonly RegistrationField[] {
  if (!(error instanceof Refused)) return []
  if (error.code === 'user.username_taken') return ['userName']
  return error.violations.flatMap(({ field }) => FIELDS[field] ?? [])
}

export function openJoining(
  { sessions: { store }, intents, users }: ExternalNeeds,
  { homeOf, isUsable }: Providers,
  retrieve: (proof: ForeignProof) => Promise<RetrievedIntent>,
  clock: Clock,
): Pick<ExternalPort, 'link' | 'register'> {
  /** Throws unless the policy of the provider still allows it, guarded until the commit. */
  const requirePolicy = async (
    work: Work,
    idpId: string,
    organizationId: string,
    policy: 'isLinkingAllowed' | 'isCreationAllowed',
  ): Promise<void> => {
    const provider = await findProvider(work, idpId)
    if (provider?.state.options[policy] !== true || !(await isUsable(provider, organizationId))) {
      throw refused(intentRefusals, 'intent.provider_inactive')
    }
  }

  return {
    async link({ userId, organizationId }, proof) {
      try {
        const { idpId, externalUserId, externalUserName } = (await retrieve(proof)).intent.state
        await store.write({ actor: userId, at: clock() }, async (work) => {
          const { owner } = await readHuman(work, userId)
          await requirePolicy(work, idpId, organizationId, 'isLinkingAllowed')
          await addIdentityLink(work, { userId, idpId, externalUserId, externalUserName }, owner)
          await checkIntent(intents, work, { ...proof, userId, owner })
        })
        return { outcome: 'done' }
      } catch (error) {
        return failureOf(error)
      }
    },

    async register(proof, { firstName, lastName, userName, email: address, language }) {
      try {
        const retrieved = await retrieve(proof)
        const { idpId, externalUserId, externalUserName } = retrieved.intent.state
        const ownEmail = verifiedEmailOf(retrieved)
        if (!mayBeName(userName, ownEmail)) return { outcome: 'mistaken', fields: ['userName'] }
        const home = await homeOf(retrieved.provider.owner)
        const draft = {
          userName,
          profile: { firstName, lastName, preferredLanguage: language },
          // What was typed in place of it is proven by a mail, like any other address.
          email: {
            address,
            verification:
              address === ownEmail ? ({ type: 'known', isVerified: true } as const) : ({ type: 'default' } as const),
          },
          links: [{ idpId, externalUserId, externalUserName }],
        }
        const prepared = await prepareHuman(users, home, draft, fieldsOfHuman())
        await store.write({ actor: VISITOR, at: clock() }, async (work) => {
          const intent = await work.get(intentKind, proof.intentId)
          if (intent?.state.status !== 'succeeded') throw refused(intentRefusals, 'intent.not_succeeded')
          await requirePolicy(work, idpId, home, 'isCreationAllowed')
          await addHuman(users, work, prepared)
        })
        return { outcome: 'done', userId: prepared.userId }
      } catch (error) {
        const fields = mistakenFields(error)
        return fields.length > 0 ? { outcome: 'mistaken', fields } : failureOf(error)
      }
    },
  }
}
