/** Connects an account at a provider with a user: an existing user links it, or a new one registers with it. */

import { foldText } from '../../../kernel/fold-text.ts'
import { Refused, refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Work } from '../../../store/index.ts'
import { addHuman, fieldsOfHuman, prepareHuman } from '../../humans/index.ts'
import { addIdentityLink } from '../../identity-links/index.ts'
import { findProvider } from '../../identity-providers/index.ts'
import {
  checkIntent,
  completedSignIn,
  draftOfPerson,
  emailOf,
  intentRefusals,
  intents,
  type RetrievedIntent,
  retrieveIntent,
} from '../../sign-in-intents/index.ts'
import { canonicalName, readHuman } from '../../users/index.ts'
import { attempt, type Done, type Failure, failureOf } from '../outcomes.ts'
import { homeOf, isProviderUsable } from '../providers.ts'
import type { ExternalProof } from './continue-session.ts'
import type { Person } from './find-person.ts'
import { proposedFor } from './proposed-for.ts'

/** The data that a new user enters. */
export interface Registration {
  readonly firstName: string
  readonly lastName: string
  readonly userName: string
  readonly email: string
}

export type RegistrationField = keyof Registration

/** The address that the provider has verified. */
function verifiedEmailOf({ identity, provider }: RetrievedIntent): string | undefined {
  const email = emailOf(identity.claims, provider)
  return email?.isVerified === true ? email.address : undefined
}

/**
 * Whether a username can be requested. If usernames are email addresses, a taken name would reveal whose address has an
 * account. So the only address that can be a username is the user's own.
 */
function mayBeName(userName: string, ownEmail: string | undefined): boolean {
  return (
    !foldText(userName).includes('@') || (ownEmail !== undefined && canonicalName(userName) === canonicalName(ownEmail))
  )
}

/** The data of the provider about a new user, as far as it is usable. */
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

/** The form fields by their paths in violations. */
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

/** Throws unless the policy of the provider still allows it; guarded until the commit. */
async function requirePolicy(
  app: App,
  work: Work,
  idpId: string,
  organizationId: string,
  policy: 'isLinkingAllowed' | 'isCreationAllowed',
): Promise<void> {
  const provider = await findProvider(app, idpId, work)
  if (provider?.state.options[policy] !== true || !(await isProviderUsable(app, provider, organizationId, work))) {
    throw refused(intentRefusals, 'intent.provider_inactive')
  }
}

/** Links the account to a user who has agreed to it, and uses up the proof. */
export function linkExternalAccount(app: App, person: Person, proof: ExternalProof): Promise<Done> {
  const { userId, organizationId } = person
  return attempt(async () => {
    const { intent } = await retrieveIntent(app, { ...proof, at: app.clock() })
    const { idpId } = intent.state
    await app.store.write({ actor: { user: userId }, at: app.clock() }, async (work) => {
      const { owner } = await readHuman(work, userId)
      await requirePolicy(app, work, idpId, organizationId, 'isLinkingAllowed')
      await addIdentityLink(app, work, userId, completedSignIn(intent.state), owner)
      await checkIntent(app, work, { ...proof, userId, owner })
    })
  })
}

/**
 * Links the account to a user that an organization proposed for it: its owner has signed in with it and accepts. The proof is
 * used up by the sign-in that follows.
 */
export function acceptProposedUser(
  app: App,
  proof: ExternalProof,
  userId: string,
  visitedId: string | undefined,
): Promise<Done> {
  return attempt(async () => {
    const retrieved = await retrieveIntent(app, { ...proof, at: app.clock() })
    const { state } = retrieved.intent
    const proposed = await proposedFor(app, retrieved, visitedId)
    await app.store.write({ actor: { user: userId }, at: app.clock() }, async (work) => {
      const { owner } = await readHuman(work, userId)
      const provider = await findProvider(app, state.idpId, work)
      const isUsable = provider !== undefined && (await isProviderUsable(app, provider, owner, work))
      if (!isUsable || !proposed.some((one) => one.userId === userId)) {
        throw refused(intentRefusals, 'intent.provider_inactive')
      }
      await addIdentityLink(app, work, userId, completedSignIn(state), owner)
    })
  })
}

/** Adds a user with this account in one commit. `mistaken` contains the fields to correct. */
export async function registerWithExternalAccount(
  app: App,
  proof: ExternalProof,
  { firstName, lastName, userName, email: address, language }: Registration & { readonly language: string },
): Promise<
  | { readonly outcome: 'done'; readonly userId: string }
  | { readonly outcome: 'mistaken'; readonly fields: readonly RegistrationField[] }
  | Failure
> {
  try {
    const retrieved = await retrieveIntent(app, { ...proof, at: app.clock() })
    const { idpId } = retrieved.intent.state
    const ownEmail = verifiedEmailOf(retrieved)
    if (!mayBeName(userName, ownEmail)) return { outcome: 'mistaken', fields: ['userName'] }
    const home = await homeOf(app, retrieved.provider.owner)
    const draft = {
      userName,
      profile: { firstName, lastName, preferredLanguage: language },
      // A typed address is verified by email; an address that the provider has verified is not.
      email: {
        address,
        verification:
          address === ownEmail ? ({ type: 'known', isVerified: true } as const) : ({ type: 'default' } as const),
      },
    }
    const prepared = await prepareHuman(app, home, draft, fieldsOfHuman())
    const { value } = await app.store.write({ actor: 'visitor', at: app.clock() }, async (work) => {
      const intent = await work.get(intents, proof.intentId)
      if (intent?.state.status !== 'succeeded') throw refused(intentRefusals, 'intent.not_succeeded')
      await requirePolicy(app, work, idpId, home, 'isCreationAllowed')
      const { user } = await addHuman(app, work, prepared)
      await addIdentityLink(app, work, user.id, completedSignIn(intent.state), home)
      return user
    })
    return { outcome: 'done', userId: value.id }
  } catch (error) {
    const fields = mistakenFields(error)
    return fields.length > 0 ? { outcome: 'mistaken', fields } : failureOf(error)
  }
}
