import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { CallMethod } from '../../../test/support/calls.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { type Held, openSessionWorld, type SessionWorld, v2 } from '../../../test/support/session-world.ts'
import { Refused } from '../../kernel/refusal.ts'

const ROUNDS = 200
const RACERS = 8

for (const engine of bothEngines) {
  suite(`eight who update a session with one token on ${engine.name}`, () => {
    let world: SessionWorld
    let nodes: readonly CallMethod[]
    before(async () => {
      world = await openSessionWorld(engine)
      nodes = [world.call, (await world.another()).call]
    })
    after(() => world.dispose())

    /** All at once, on both nodes in turn; answers the tokens of the winners and why the others lost. */
    const race = async (update: (call: CallMethod, racer: number) => Promise<{ readonly sessionToken: string }>) => {
      const racers = Array.from({ length: RACERS }, (_, racer) => update(nodes[racer % 2] ?? world.call, racer))
      const outcomes = await Promise.allSettled(racers)
      const tokens: string[] = []
      for (const outcome of outcomes) {
        if (outcome.status === 'fulfilled') tokens.push(outcome.value.sessionToken)
        else {
          assert.ok(outcome.reason instanceof Refused, String(outcome.reason))
          assert.match(outcome.reason.code, /^(session\.token_invalid|access\.unauthenticated|store\.conflict)$/)
        }
      }
      return tokens
    }

    const check = async (
      rounds: number,
      begun: Held,
      update: (held: Held, call: CallMethod, racer: number) => Promise<{ readonly sessionToken: string }>,
    ) => {
      let held = begun
      for (let round = 0; round < rounds; round++) {
        const tokens = await race((call, racer) => update(held, call, racer))
        assert.equal(tokens.length, 1, `round ${round} has ${tokens.length} winners`)
        held = { sessionId: held.sessionId, token: tokens[0] ?? '' }
      }
      const events = await world.store.events({
        kinds: ['session'],
        id: held.sessionId,
        types: ['session.token_renewed.v1'],
        limit: 1000,
      })
      assert.equal(events.length, rounds)
    }

    test('have one winner, two hundred times', async () => {
      await check(ROUNDS, await world.create(), ({ sessionId, token }, call, racer) =>
        call(v2.setSession, { sessionId, sessionToken: token, metadata: { racer: String(racer) } }, world.nobody),
      )
    })

    test('have one winner when the token is their bearer, too', async () => {
      await check(20, await world.signIn(await world.addPerson()), ({ sessionId, token }, call, racer) =>
        call(v2.setSession, { sessionId, metadata: { racer: String(racer) } }, { bearer: token }),
      )
    })
  })
}
