/** Loading the user that a call is about, as each family of services understands "not yours". */
import type { Call } from '../../access/call.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Document, Store } from '../../store/index.ts'
import { users } from './documents.ts'
import type { PasswordFacts, UsersNeeds } from './needs.ts'
import { userRefusals } from './refusals.ts'
import { isLiving, type LivingUser, type User } from './state.ts'

async function livingUser(store: Store, userId: string): Promise<Document<LivingUser>> {
  const document = await store.get(users, userId)
  if (document === undefined || !isLiving(document.state)) throw refused(userRefusals, 'user.not_found')
  return document as Document<LivingUser>
}

/** The user in the organization of the call; a user of another one is not found. */
export async function userOfOrganization(store: Store, call: Call, userId: string): Promise<Document<LivingUser>> {
  const document = await livingUser(store, userId)
  if (document.owner !== call.organizationId) throw refused(userRefusals, 'user.not_found')
  return document
}

/** The user wherever it belongs, if the caller holds the method's permission there. */
export async function userForCaller(store: Store, call: Call, userId: string): Promise<Document<LivingUser>> {
  const document = await livingUser(store, userId)
  call.authorize(document.owner, userId)
  return document
}

/** The signed-in user. */
export function userOfCaller(store: Store, call: Call): Promise<Document<LivingUser>> {
  return livingUser(store, call.caller.userId)
}

/** What is known about the passwords of the people among these users. */
export async function passwordFactsOf(
  { passwords }: UsersNeeds,
  documents: readonly Document<User>[],
): Promise<ReadonlyMap<string, PasswordFacts>> {
  const ids = documents.filter(({ state }) => isLiving(state) && state.type === 'human').map(({ id }) => id)
  return ids.length === 0 ? new Map() : passwords.facts(ids)
}
