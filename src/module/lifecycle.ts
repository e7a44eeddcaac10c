/** Puts the reactions of all modules together. */
import { eachAtOnce } from '../kernel/each-at-once.ts'
import { type Lifecycle, REACTIONS } from './app.ts'
import type { Module } from './module.ts'

type Act = (...words: readonly unknown[]) => Promise<unknown>

/** Runs one after the other. A step that returns how much it did is called again by the caller, so the next ones wait. */
function inTurn(steps: readonly Act[]): Act {
  return async (...words) => {
    for (const step of steps) {
      const done = await step(...words)
      if (typeof done === 'number' && done > 0) return done
    }
    return 0
  }
}

function together(steps: readonly Act[]): Act {
  return (...words) => eachAtOnce(steps, (step) => step(...words))
}

/** What all modules do at each change that they can react to. */
export function openLifecycle(modules: readonly Module[]): Lifecycle {
  const names = Object.keys(REACTIONS) as (keyof Lifecycle)[]
  const reactions = names.map((name) => {
    const steps = modules.flatMap((module) => (module[name] as Act | undefined) ?? [])
    return [name, REACTIONS[name].runs === 'together' ? together(steps) : inTurn(steps)] as const
  })
  return Object.freeze(Object.fromEntries(reactions)) as unknown as Lifecycle
}
