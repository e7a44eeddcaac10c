/** People of B use up what all use together: sign-ins at providers that nobody finishes. Then A needs it. */

import { outcomeOf, users } from '../matrices/scene.ts'
import { bothEngines, type TestEngine } from '../support/engines.ts'
import { openTenants, type Side, type Tenants } from './world.ts'

/** More than anybody's share. */
const MOST_STARTS = 700
const PASSES = 'passes'

/** What becomes of a sign-in at a provider of a tenant, started by somebody of theirs. */
function start({ scene }: Tenants, { things }: Side, bearer: string | undefined): Promise<string> {
  const urls = { successUrl: 'https://app.example/in', failureUrl: 'https://app.example/no' }
  const message = { idpId: things.samlProviderId, content: { case: 'urls', value: urls } } as const
  return outcomeOf(scene.call(users.startIdentityProviderIntent, message, bearer === undefined ? {} : { bearer }))
}

/** How many B could start until it was refused, why, and what A is answered then. */
export async function useUp(engine: TestEngine) {
  const tenants = await openTenants(engine)
  try {
    const { a, b, bearersOfA, callers } = tenants
    tenants.gate.close()
    let [started, refusal] = [0, PASSES]
    while (refusal === PASSES && started < MOST_STARTS) {
      refusal = await start(tenants, b, callers['a person without a role']?.bearer)
      started += 1
    }
    return { started, refusal, afterwards: await start(tenants, a, bearersOfA.session) }
  } finally {
    await tenants.dispose()
  }
}

/** What A is refused because of B. */
export async function findings(): Promise<readonly string[]> {
  const [engine] = bothEngines
  if (engine === undefined) throw new Error('there is no database')
  const { refusal, afterwards } = await useUp(engine)
  return afterwards === PASSES ? [] : [`A is refused with ${afterwards} after B was with ${refusal}`]
}
