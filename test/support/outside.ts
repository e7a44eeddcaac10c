/** What the rooms get of the world in tests: real tools where they are quick, and nothing that leaves the machine. */
import { setTimeout as sleep } from 'node:timers/promises'
import { openGuardedFetch } from '../../src/access/outbound-fetch.ts'
import { openPasswords, type Passwords } from '../../src/crypto/passwords/index.ts'
import { openTransport } from '../../src/features/mail/index.ts'
import { openWebhook } from '../../src/features/sms/index.ts'
import { newId } from '../../src/kernel/id.ts'
import type { Clock } from '../../src/kernel/instant.ts'
import type { JobHandlers, Store } from '../../src/store/index.ts'

let library: Passwords | undefined

/** One for all houses of a process; its hashes are as cheap as they may be. */
function passwordLibrary(): Passwords {
  library ??= openPasswords({ costs: { memoryKib: 8192, passes: 1, lanes: 1 } })
  return library
}

const fetchOutside = openGuardedFetch({ allowsPrivate: true })

/** What does not differ between houses. */
export function outside() {
  return {
    newId,
    version: 'test',
    library: passwordLibrary(),
    send: openTransport(),
    post: openWebhook({ allowsPrivate: true, fetchOutside }),
    allowsPrivate: true,
    fetchOutside,
    allowedRedirects: 'any' as const,
    longestWaitMilliseconds: 29_000,
    isReady: async () => true,
    isServed: () => true,
  }
}

/** Runs the jobs that are due until none is left but parked ones. */
export async function runAllJobs(store: Store, handlers: JobHandlers, clock: Clock): Promise<void> {
  const failures: unknown[] = []
  const onFailure = ({ error }: { readonly error: unknown }) => failures.push(error)
  const runner = store.jobs.run(handlers, { clock, pollMilliseconds: 10, onFailure })
  while ((await store.jobs.count()).waiting > 0 && failures.length === 0) await sleep(5)
  await runner.stop()
  if (failures.length > 0) throw failures[0]
}
