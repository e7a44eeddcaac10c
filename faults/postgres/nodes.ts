/** Several nodes on one PostgreSQL: what one was told, the others know, and a name has one winner. */
import { newId } from '../../src/kernel/id.ts'
import { instant } from '../../src/kernel/instant.ts'
import { openStore, type Store } from '../../src/store/index.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'
import { accounts, openAccount } from '../../test/support/accounts.ts'
import { freshDatabase } from '../../test/support/postgres.ts'
import { grouped, type Measured, type Run, roundsOf, type Scenario } from '../scenario.ts'
import { disturb, type OtherNode, startNode } from './other-node.ts'
import { postgresObstacle } from './restart.ts'

const READS_PER_ROUND = 6

async function openDatabase(cleanUp: AsyncDisposableStack): Promise<string> {
  const database = await freshDatabase()
  if (database === undefined) throw new Error('PostgreSQL was there a moment ago')
  cleanUp.defer(() => database.drop())
  return database.url
}

/**
 * Changes few accounts again and again, so that the other node has them cached, and lets it look twice at each change: six
 * reads. Returns how many of its answers were old.
 */
async function countStale(store: Store, other: OtherNode, rounds: number): Promise<number> {
  let left = rounds
  let stale = 0
  const changeAndLook = async (): Promise<void> => {
    const id = await openAccount(store, newId())
    while (left-- > 0) {
      const name = newId()
      await store.write({ actor: { user: 'tester' }, at: instant(1) }, (work) =>
        work.decide(accounts, id, { name }, 'org'),
      )
      for (const _ of [1, 2]) {
        let seen = await other.look(id, name)
        // Two connections may end during one read.
        while (seen === 'store.unavailable') seen = await other.look(id, name)
        if (seen !== 'yes') stale += 1
      }
    }
  }
  await Promise.all(Array.from({ length: 32 }, changeAndLook))
  return stale
}

async function measureStale(run: Run): Promise<Measured> {
  const rounds = roundsOf(run, 1_700, 170_000)
  await using cleanUp = new AsyncDisposableStack()
  const url = await openDatabase(cleanUp)
  const other = await startNode(cleanUp, `${url}?application_name=other`)
  const store = await openStore(await openPostgres({ url }), [accounts])
  cleanUp.defer(() => store.close())
  let isOver = false
  const disturbing = disturb(url, other, () => isOver)
  const stale = await countStale(store, other, rounds)
  isOver = true
  const ended = await disturbing
  const reads = rounds * READS_PER_ROUND
  return {
    done: `${grouped(reads)} reads on another node after each change, with pauses and ${ended} ended connections`,
    figure: `${stale} old answers`,
    figures: { reads, stale, ended },
    isMet: stale === 0 && ended > 0,
  }
}

export const staleReads: Scenario = {
  name: 'stale-reads',
  title: 'what one node changed, another no longer has in its cache, with pauses and reconnects',
  required: '0 old answers',
  obstacle: postgresObstacle,
  measure: measureStale,
  control: {
    what: 'a node that does not validate its cache',
    async run() {
      await using cleanUp = new AsyncDisposableStack()
      const url = await openDatabase(cleanUp)
      const other = await startNode(cleanUp, url, 'no-validation')
      const store = await openStore(await openPostgres({ url }), [accounts])
      cleanUp.defer(() => store.close())
      const stale = await countStale(store, other, 100)
      return { figure: `${stale} old answers of 200`, isCaught: stale > 0 }
    },
  },
}

interface Races {
  /** Rounds without exactly one winner. */
  readonly undecided: number
  readonly firstWins: number
  readonly written: number
}

/** Two processes want the same name at the same moment. */
async function race(rounds: number, without: 'no-claims' | ''): Promise<Races> {
  await using cleanUp = new AsyncDisposableStack()
  const url = await openDatabase(cleanUp)
  const nodes = await Promise.all([startNode(cleanUp, url, without), startNode(cleanUp, url, without)])
  let undecided = 0
  let firstWins = 0
  for (let round = 0; round < rounds; round++) {
    const answers = await Promise.all(nodes.map((node) => node.open(`name-${round}`)))
    if (answers.filter((answer) => answer === 'account.name_taken').length !== 1) undecided++
    if (answers[0] !== 'account.name_taken') firstWins++
  }
  const store = await openStore(await openPostgres({ url }), [accounts])
  cleanUp.defer(() => store.close())
  return { undecided, firstWins, written: (await store.find(accounts, { limit: 0 })).total }
}

export const races: Scenario = {
  name: 'races',
  title: 'two processes race for the same name: exactly one wins, the other hears that it is taken',
  required: '0 rounds without exactly one winner; both nodes win some',
  obstacle: postgresObstacle,
  async measure(run) {
    const rounds = roundsOf(run, 200, 2_000)
    const { undecided, firstWins, written } = await race(rounds, '')
    return {
      done: `two processes race for one name, ${grouped(rounds)} ×`,
      figure: `${undecided} rounds without exactly one winner, ${grouped(written)} written; the first node won ${grouped(firstWins)}`,
      figures: { rounds, undecided, written, firstWins },
      isMet: undecided === 0 && written === rounds && firstWins > 0 && firstWins < rounds,
    }
  },
  control: {
    what: 'the same without unique claims',
    async run() {
      const { undecided } = await race(50, 'no-claims')
      return { figure: `${undecided} of 50 rounds without exactly one winner`, isCaught: undecided > 0 }
    },
  },
}
