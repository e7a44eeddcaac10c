/** Writes what only an export of Signet has in lines of its own. */

import { restoreProviderChoices, settings } from '../../../features/settings/index.ts'
import type * as Own from '../own-drafts.ts'
import { ownerOf, type WriteDraft, type WriteEnd } from './writing.ts'

const THERE: WriteEnd = { end: 'there' }
const CARRIED: WriteEnd = { end: 'carried' }

export const writeProviderChoices: WriteDraft<Own.ProviderChoicesDraft> = async ({ app, work, draft }) => {
  const owner = ownerOf(app, draft)
  if ((await work.get(settings, owner))?.state.providers !== undefined) return THERE
  await restoreProviderChoices(work, owner, draft)
  return CARRIED
}
