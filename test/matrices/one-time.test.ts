/**
 * Everything that counts once, shown in every wrong way: only the one right use passes. What must have a row is read
 * from the contract, so that a new proof without one is noticed.
 */
import { after, before, suite, test } from 'node:test'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { Refused } from '../../src/kernel/refusal.ts'
import { assertNone } from '../support/cells.ts'
import { bothEngines } from '../support/engines.ts'
import { type Artefact, COLUMNS, type Column, type Issued, isNone, type NoCell } from './artefact.ts'
import { codeArtefacts } from './codes.ts'
import { intentArtefacts } from './intents.ts'
import { keyArtefacts } from './keys.ts'
import { excludedNames, exclusionOf, proofs } from './proofs.ts'
import { openScene, outcomeOf, type Scene } from './scene.ts'
import { sessionTokenArtefacts } from './session-tokens.ts'
import { signInArtefacts } from './sign-in-codes.ts'

const artefacts: readonly Artefact[] = [
  ...codeArtefacts,
  ...keyArtefacts,
  ...signInArtefacts,
  ...sessionTokenArtefacts,
  ...intentArtefacts,
]

test('every proof of the contract is an artefact of the matrix, or is left out for a reason', () => {
  const ways = new Set(artefacts.map(({ way }) => way))
  const unassigned = proofs.filter((proof) => !ways.has(proof.way) && exclusionOf(proof) === undefined)
  assertNone(unassigned.map(({ way, field }) => `${way} (${field}) is in neither`))
  const known = new Set(proofs.flatMap(({ way, field }) => [way, field]))
  const stale = [...ways, ...excludedNames].filter((name) => name !== '' && !known.has(name))
  assertNone(stale.map((name) => `the contract knows nothing of ${name}`))
})

/** On the second engine only what depends on storage: who wins, and what is left afterwards. */
const STORED: readonly Column[] = ['right use', 'reuse', 'race of eight on two nodes', 'after a restart']

const LONGEST_WAIT = 10_000

/** Lets something happen, and answers what is wrong about it; undefined when nothing is. */
type Judge = (scene: Scene, issued: Issued) => Promise<string | undefined>

function mismatch(expected: string, found: string): string | undefined {
  return expected === found ? undefined : `${expected} expected, but ${found}`
}

async function failOften(times: number, { there }: Scene, { fail }: Issued): Promise<string | undefined> {
  if (fail === undefined) return 'nothing wrong can be shown'
  for (let tries = 0; tries < times; tries++) {
    if ((await outcomeOf(fail(there))) === 'passes') return 'a wrong one passes'
  }
  return undefined
}

async function judgeRace(scene: Scene, { use }: Issued, losers: readonly string[]): Promise<string | undefined> {
  const nodes = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? scene.here : scene.there))
  const results = await Promise.allSettled(nodes.map(use))
  const winners = results.filter(({ status }) => status === 'fulfilled').length
  if (winners !== 1) return `${winners} winners`
  for (const result of results) {
    if (result.status === 'fulfilled') continue
    if (!(result.reason instanceof Refused)) throw result.reason
    const { code } = result.reason
    if (code !== 'store.conflict' && !losers.includes(code)) return `a loser hears ${code}`
  }
  return undefined
}

async function every(
  expected: string,
  attempts: readonly ((() => Promise<unknown>) | undefined)[],
): Promise<string | undefined> {
  if (attempts.length === 0) return 'nothing is tried'
  for (const attempt of attempts) {
    if (attempt === undefined) return 'nothing is tried'
    const wrong = mismatch(expected, await outcomeOf(attempt()))
    if (wrong !== undefined) return wrong
  }
  return undefined
}

/** How a cell is tried, or why there is none. */
function judgeOf({ row }: Artefact, column: Column): Judge | NoCell {
  switch (column) {
    case 'right use':
      return async ({ there }, { use }) => mismatch('passes', await outcomeOf(use(there)))
    case 'reuse': {
      const { reuse } = row
      if (isNone(reuse)) return reuse
      return async ({ here, there }, { use, spend = use }) =>
        mismatch('passes', await outcomeOf(spend(here))) ?? every(reuse, [() => use(there), () => use(here)])
    }
    case 'race of eight on two nodes': {
      const { losers } = row
      return isNone(losers) ? losers : (scene, issued) => judgeRace(scene, issued, losers)
    }
    case 'other user': {
      const { otherUser } = row
      if (isNone(otherUser)) return otherUser
      return async ({ here }, { forOtherUsers = [], use }) =>
        (await every(otherUser, forOtherUsers)) ?? mismatch('passes', await outcomeOf(use(here)))
    }
    case 'other session': {
      const { otherSession } = row
      return isNone(otherSession)
        ? otherSession
        : async (_, { inOtherSession }) => every(otherSession, [inOtherSession])
    }
    case 'other purpose': {
      const { otherPurpose } = row
      if (isNone(otherPurpose)) return otherPurpose
      return async ({ here }, { forOtherPurposes = [], use }) =>
        (await every(otherPurpose, forOtherPurposes)) ?? mismatch('passes', await outcomeOf(use(here)))
    }
    case 'expired': {
      const { expired } = row
      if (isNone(expired)) return expired
      return async (scene, { use, lifetimeMs = 0 }) => {
        scene.wait(lifetimeMs)
        return mismatch(expired, await outcomeOf(use(scene.there)))
      }
    }
    case 'after five failures': {
      const { afterFailures } = row
      if (isNone(afterFailures)) return afterFailures
      const [atOnce, later] = afterFailures
      return async (scene, issued) => {
        const wrong = (await failOften(5, scene, issued)) ?? mismatch(atOnce, await outcomeOf(issued.use(scene.here)))
        if (wrong !== undefined || atOnce === 'passes') return wrong
        scene.wait(LONGEST_WAIT)
        return mismatch(later, await outcomeOf(issued.use(scene.there)))
      }
    }
    case 'after failures and expiry': {
      const { expired, afterFailures } = row
      if (isNone(expired)) return expired
      if (isNone(afterFailures)) return afterFailures
      return async (scene, issued) => {
        const { use, lifetimeMs = 0 } = issued
        // In the last moments of its life: if a failure moved its end, it would still count afterwards. The fifth would
        // end it permanently.
        scene.wait(lifetimeMs - LONGEST_WAIT)
        const wrong = await failOften(4, scene, issued)
        scene.wait(LONGEST_WAIT)
        return wrong ?? mismatch(expired, await outcomeOf(use(scene.there)))
      }
    }
    case 'after a restart': {
      const { reuse } = row
      if (isNone(reuse)) return reuse
      return async (scene, { use, spend = use }) => {
        const wrong = mismatch('passes', await outcomeOf(spend(await scene.restart())))
        return wrong ?? mismatch(reuse, await outcomeOf(use(await scene.restart())))
      }
    }
    case 'after deactivation':
      return async (scene, { use, userId }) => {
        await scene.call(ManagementService.method.deactivateUser, { id: userId }, scene.owner)
        return mismatch(row.afterDeactivation, await outcomeOf(use(scene.there)))
      }
  }
}

for (const engine of bothEngines) {
  const columns = engine.name === 'sqlite' ? COLUMNS : STORED
  const cells = artefacts.flatMap((artefact) => columns.map((column) => judgeOf(artefact, column)))
  const tried = cells.filter((cell) => !isNone(cell)).length

  suite(`things that count once on ${engine.name}: ${tried} cells, and ${cells.length - tried} that make no sense`, () => {
    let scene: Scene
    before(async () => {
      scene = await openScene(engine)
    })
    after(() => scene.dispose())

    for (const artefact of artefacts) {
      test(`${artefact.name}${artefact.way && `, in ${artefact.way}`}`, async () => {
        const wrong: string[] = []
        for (const column of columns) {
          const judge = judgeOf(artefact, column)
          if (isNone(judge)) continue
          const found = await judge(scene, await artefact.issue(scene))
          if (found !== undefined) wrong.push(`${column}: ${found}`)
        }
        assertNone(wrong)
      })
    }
  })
}
