/** An account at a provider, a user here, and a world: the common setup of sign-in tests. */
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { checkIntent } from '../../src/features/sign-in-intents/index.ts'
import type { TestEngine } from './engines.ts'
import { openProviderWorld, type ProviderSettings, signIn } from './provider-world.ts'
import { openScriptedProvider, SAM } from './scripted-provider.ts'

export const BOSS = { bearer: 'boss' }

/** Opens a world with a scripted provider beside it. */
export async function openProviderScene(engine: TestEngine) {
  const world = await openProviderWorld({ engine })
  const provider = await openScriptedProvider()
  let people = 0
  return {
    world,
    provider,
    /** Resets between tests: the provider is honest again, and the clock shows the current time. */
    begin() {
      provider.forget()
      world.time.offset = 0
    },
    async dispose() {
      await provider.close()
      await world.dispose()
    },
    /** A new account at the provider, each time another one. */
    comeAs(claims: Record<string, unknown> = {}): string {
      const name = `person${++people}`
      provider.account = { ...SAM, sub: name, preferred_username: name, email: `${name}@corp.example`, ...claims }
      return name
    },
    go: (idpId: string) => signIn(world, provider.answer, idpId),
    add: (settings?: ProviderSettings) => world.addProvider(provider.issuer, settings),
    async addPerson(username: string, email: string, isVerified = true, organizationId = 'north'): Promise<string> {
      const message = {
        username,
        organisation: { org: { case: 'orgId', value: organizationId } },
        profile: { firstName: 'A', lastName: 'B' },
        email: { email, verification: { case: 'isVerified', value: isVerified } },
      } as const
      return (await world.call(UserService.method.addHumanUser, message, BOSS)).userId
    },
    /** Uses an intent as a session does. */
    prove: (intentId: string, token: string, userId: string, owner = 'north') =>
      world.store.write({ actor: { user: 'test' }, at: world.clock() }, (work) =>
        checkIntent(world.app, work, { intentId, token, userId, owner }),
      ),
  }
}

export type ProviderScene = Awaited<ReturnType<typeof openProviderScene>>
