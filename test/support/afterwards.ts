/** Cleans up after a test in the reverse order of the setup. */
import type { TestContext } from 'node:test'

const registered = new WeakMap<TestContext, (() => unknown)[]>()

/** Runs `clean` after the test, before everything that was registered earlier; `t.after` would run it later. */
export function afterwards(t: TestContext, clean: () => unknown): void {
  const earlier = registered.get(t)
  if (earlier) {
    earlier.push(clean)
    return
  }
  const cleanings = [clean]
  registered.set(t, cleanings)
  t.after(async () => {
    for (const next of cleanings.reverse()) await next()
  })
}
