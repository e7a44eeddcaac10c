/** Asks the cases and sorts what was found: what is meant, and what is not. */
import type { Case } from './cases.ts'
import { type Difference, judge } from './judge.ts'
import { isMeantBy, MEANT, type Meant } from './meant.ts'
import type { Tenants } from './world.ts'

export interface Found {
  readonly methods: number
  readonly cases: number
  readonly requests: number
  readonly seconds: number
  /** One line for each method, field and manner that nobody meant. */
  readonly unexplained: readonly string[]
  /** The rows that explained something. */
  readonly used: ReadonlySet<Meant>
}

function lineOf({ case: { name, field }, manner }: Difference): string {
  return `${name} ${field} ${manner}`
}

function namesOf(callers: readonly string[]): string {
  const more = callers.length - 3
  return callers.slice(0, 3).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** Nothing is written meanwhile, so that all cases find the same world. */
export async function search(tenants: Tenants, cases: Iterable<Case>): Promise<Found> {
  const began = performance.now()
  const [methods, used] = [new Set<string>(), new Set<Meant>()]
  const unexplained = new Map<string, { readonly callers: Set<string>; readonly what: string }>()
  let count = 0
  const before = tenants.requests()
  tenants.gate.close()
  for (const one of cases) {
    count += 1
    methods.add(one.name)
    for (const difference of await judge(tenants, one)) {
      const rows = MEANT.filter((row) => isMeantBy(row, difference))
      for (const row of rows) used.add(row)
      if (rows.length > 0) continue
      const line = lineOf(difference)
      const known = unexplained.get(line) ?? { callers: new Set(), what: difference.what }
      known.callers.add(one.caller)
      unexplained.set(line, known)
    }
  }
  tenants.gate.open()
  return {
    methods: methods.size,
    cases: count,
    requests: tenants.requests() - before,
    seconds: Math.round((performance.now() - began) / 1000),
    unexplained: [...unexplained].map(([line, { callers, what }]) => `${line} by ${namesOf([...callers])}: ${what}`),
    used,
  }
}
