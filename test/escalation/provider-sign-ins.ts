/** Sign-ins at providers that lead to the attacker, who says there whatever helps. */
import { SessionService } from '../../contract/gen/signet/session/v2/session_service_pb.ts'
import { identityProviders } from '../../src/features/identity-providers/index.ts'
import type { Controlled } from './control.ts'
import { unlessRefused } from './powers.ts'
import { OWN_ACCOUNT } from './steps.ts'
import { type Arena, type Neighbourhood, OWN_DOMAIN, type Person, users } from './world.ts'

const BACK = `https://${OWN_DOMAIN}/in`

/** The providers whose addresses are those of the attacker's. */
async function providersOf({ store, provider }: Arena, owners: readonly string[]): Promise<readonly string[]> {
  const where = { field: 'owner', in: [...owners] } as const
  const { documents } = await store.find(identityProviders, { where, limit: 100 })
  return documents.flatMap(({ id, state }) =>
    'connection' in state && JSON.stringify(state.connection).includes(provider.issuer) ? [id] : [],
  )
}

/** Signs in as an account, and opens a session for the user that the server found for it. */
async function signInAs(arena: Arena, idpId: string, account: Record<string, unknown>): Promise<string | undefined> {
  const { call, login, provider, browser } = arena
  const urls = { successUrl: BACK, failureUrl: `${BACK}?failed` }
  const started = await unlessRefused(
    call(users.startIdentityProviderIntent, { idpId, content: { case: 'urls', value: urls } }, login),
  )
  if (started?.nextStep.case !== 'authUrl') return undefined
  provider.account = account
  // Wherever the server looks for what the provider says.
  provider.script = { claims: (honest) => ({ ...account, ...honest }) }
  const back = await browser().open(`${arena.url}/idps/callback?${provider.answer(started.nextStep.value)}`)
  const { searchParams } = new URL(back.url)
  const [intentId, token, userId] = ['id', 'token', 'user'].map((name) => searchParams.get(name) ?? '')
  if (!userId) return undefined
  const checks = {
    user: { search: { case: 'userId', value: userId } },
    intent: { intentId: intentId ?? '', token: token ?? '' },
  } as const
  return (await unlessRefused(call(SessionService.method.createSession, { checks }, login)))?.sessionToken
}

/** As everybody above: with an account that a step may have linked, and with a new one that has their address and name. */
export async function signInAtProviders(
  arena: Arena,
  { organizations }: Neighbourhood,
  above: readonly Person[],
): Promise<readonly Controlled[]> {
  const found: Controlled[] = []
  const add = (way: string, bearer: string | undefined) => {
    if (bearer !== undefined) found.push({ way, bearer })
  }
  for (const idpId of await providersOf(arena, [...Object.values(organizations), arena.instanceId])) {
    const linked = { sub: OWN_ACCOUNT, name: 'Mallory', given_name: 'Mallory', family_name: 'Person' }
    add('a linked account at a provider', await signInAs(arena, idpId, linked))
    for (const { name, userId, email, loginName } of above) {
      const claims = { email, email_verified: true, preferred_username: loginName }
      const account = { ...linked, ...claims, sub: `${OWN_ACCOUNT}-${userId}` }
      add(`a provider that says to be ${name}`, await signInAs(arena, idpId, account))
    }
  }
  return found
}
