/** Eight callers on two nodes update a session with the same token at the same moment: exactly one succeeds. */
import { engines } from '../../test/support/engines.ts'
import { type Held, openSessionWorld, v2 } from '../../test/support/session-world.ts'
import { grouped, type Run, roundsOf, type Scenario } from '../scenario.ts'
import { postgresObstacle } from './restart.ts'

const RACERS = 8

/** Rounds without exactly one winner. With `isTokenShown` false, the callers update the session by their permission. */
async function race(rounds: number, isTokenShown: boolean): Promise<number> {
  const engine = engines.find(({ name }) => name === 'postgres')
  await using cleanUp = new AsyncDisposableStack()
  const world = await openSessionWorld(engine)
  cleanUp.defer(() => world.dispose())
  const nodes = [world, await world.another()]
  const person = await world.addPerson({ password: undefined })
  let undecided = 0
  for (let round = 0; round < rounds; round++) {
    const checks = { user: { search: { case: 'userId' as const, value: person.userId } } }
    const held: Held = await world.create({ checks })
    const { sessionId, token } = held
    const update = (racer: number) => ({
      sessionId,
      ...(isTokenShown && { sessionToken: token }),
      metadata: { racer: String(racer) },
    })
    const answers = await Promise.allSettled(
      Array.from({ length: RACERS }, (_, racer) => nodes[racer % 2]?.call(v2.setSession, update(racer), world.login)),
    )
    if (answers.filter(({ status }) => status === 'fulfilled').length !== 1) undecided++
  }
  return undecided
}

export const sessionRace: Scenario = {
  name: 'session-race',
  title: 'of eight updates of a session with the same token, on two nodes, exactly one succeeds',
  required: '0 rounds without exactly one winner',
  obstacle: postgresObstacle,
  async measure(run: Run) {
    const rounds = roundsOf(run, 20, 500)
    const undecided = await race(rounds, true)
    return {
      done: `${RACERS} callers on two nodes use one session token at once, ${grouped(rounds)} ×`,
      figure: `${undecided} rounds without exactly one winner`,
      figures: { rounds, undecided },
      isMet: undecided === 0,
    }
  },
  control: {
    what: 'the same without the token, by permission',
    async run() {
      const undecided = await race(10, false)
      return { figure: `${undecided} of 10 rounds without exactly one winner`, isCaught: undecided > 0 }
    },
  },
}
