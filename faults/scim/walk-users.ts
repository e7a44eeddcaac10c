/** Users are removed, created and renamed while a directory walks through all of them by cursor: it meets everybody once. */
import { findPostgres } from '../../test/support/postgres.ts'
import { type Caught, grouped, type Measured, type Run, roundsOf, type Scenario } from '../scenario.ts'
import { type EngineName, openScimScene } from './scene.ts'
import { type Walk, type Walked, walkWhileChanging } from './walk.ts'

const ENGINES: readonly EngineName[] = ['SQLite', 'PostgreSQL']

function sizesOf(run: Run): Pick<Walk, 'changes' | 'pageSize'> & { readonly count: number } {
  const count = roundsOf(run, 300, 100_000)
  return { count, changes: Math.min(1_000, Math.ceil(count / 10)), pageSize: count < 5_000 ? 20 : 100 }
}

async function walk(run: Run, engine: EngineName, by: Walk['by']): Promise<Walked> {
  await using cleanUp = new AsyncDisposableStack()
  const { count, ...sizes } = sizesOf(run)
  const { nodes, ids } = await openScimScene(engine, count, cleanUp)
  const began = performance.now()
  const walked = await walkWhileChanging({ nodes, ids, by, ...sizes })
  const { lost, doubled, gone, pages, changed, longestPageMs } = walked
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const found = `${lost} lost, ${doubled} doubled, ${gone} removed`
  run.say(
    `${engine}, ${by}: ${found} in ${pages} pages, ${seconds} s, longest ${longestPageMs.toFixed(0)} ms; ${changed} of each change`,
  )
  return walked
}

async function measure(run: Run): Promise<Measured> {
  const sum = { lost: 0, doubled: 0, gone: 0, kept: 0, changed: 0 }
  for (const engine of ENGINES) {
    const walked = await walk(run, engine, 'cursor')
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += walked[name]
  }
  const { lost, doubled, gone, kept, changed } = sum
  return {
    done: `${grouped(changed)} users removed, created and renamed each during walks by cursor through both databases`,
    figure: `${lost} lost, ${doubled} doubled, ${gone} met after their removal of ${grouped(kept)}`,
    figures: sum,
    isMet: lost + doubled + gone === 0 && kept > 0 && changed > 0,
  }
}

async function byIndex(run: Run): Promise<Caught> {
  const { lost, kept } = await walk(run, 'SQLite', 'startIndex')
  return { figure: `${lost} lost of ${grouped(kept)}`, isCaught: lost > 0 }
}

export const walkUsers: Scenario = {
  name: 'scim-walk',
  title: 'users come, go and are renamed while a directory walks through them: it meets everybody once',
  required: '0 lost, 0 doubled',
  obstacle: () => (findPostgres() ? undefined : 'there is no PostgreSQL on this machine'),
  measure,
  control: { what: 'a walk by `startIndex`', run: byIndex },
}
