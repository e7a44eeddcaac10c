/** Notes where a sign-in came from, in the commit that records it, unless the operator keeps no addresses. */

import type { App, Whereabouts } from '../../../module/app.ts'
import type { Work } from '../../../store/index.ts'
import { addresses } from '../documents.ts'

const LONGEST_BROWSER = 200

/** `from` is what a login client says, which can be anything; it is shown and never relied on. */
export async function noteAddress(
  { config }: App,
  work: Work,
  signInId: string,
  { userId, from }: { readonly userId?: string | undefined; readonly from: Whereabouts | undefined },
  owner: string,
): Promise<void> {
  const { ip = '', description = '' } = from ?? {}
  if (config.addressRetentionMs === 0 || (ip === '' && description === '')) return
  const noted = {
    ...(userId !== undefined && { userId }),
    ...(ip !== '' && { ip }),
    ...(description !== '' && { browser: description.slice(0, LONGEST_BROWSER).toWellFormed() }),
  }
  await work.begin(addresses, signInId, noted, owner)
}
