/** Somebody at a provider, somebody here, and a house between them: what tests of signing in have in common. */
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { checkIntent } from '../../src/features/sign-in-intents/index.ts'
import type { TestEngine } from './engines.ts'
import { openScriptedProvider, SAM } from './scripted-provider.ts'
import { openSignInHouse, type ProviderSettings, signIn } from './sign-in-house.ts'

export const BOSS = { bearer: 'boss' }

/** Opens a house with a scripted provider beside it. */
export async function openSignInScene(engine: TestEngine) {
  const house = await openSignInHouse({ engine })
  const provider = await openScriptedProvider()
  let people = 0
  return {
    house,
    provider,
    /** Between tests: the provider is honest again, and it is now. */
    begin() {
      provider.forget()
      house.time.offset = 0
    },
    async dispose() {
      await provider.close()
      await house.dispose()
    },
    /** Somebody new at the provider, every time another one. */
    comeAs(claims: Record<string, unknown> = {}): string {
      const name = `person${++people}`
      provider.account = { ...SAM, sub: name, preferred_username: name, email: `${name}@corp.example`, ...claims }
      return name
    },
    go: (idpId: string) => signIn(house, provider.answer, idpId),
    add: (settings?: ProviderSettings) => house.addProvider(provider.issuer, settings),
    async addPerson(username: string, email: string, isVerified = true, organizationId = 'north'): Promise<string> {
      const message = {
        username,
        organisation: { org: { case: 'orgId', value: organizationId } },
        profile: { firstName: 'A', lastName: 'B' },
        email: { email, verification: { case: 'isVerified', value: isVerified } },
      } as const
      return (await house.call(UserService.method.addHumanUser, message, BOSS)).userId
    },
    /** What a session does with an intent. */
    prove: (intentId: string, token: string, userId: string, owner = 'north') =>
      house.store.write({ actor: 'test', at: house.clock() }, (work) =>
        checkIntent(house.rooms.intents, work, { intentId, token, userId, owner }),
      ),
  }
}

export type SignInScene = Awaited<ReturnType<typeof openSignInScene>>
