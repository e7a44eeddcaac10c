/** Puts objects of kinds that say by themselves how they are carried. */

import type { Arriving, Draft } from '../../../module/carried.ts'
import type { Carrier } from '../../carriers.ts'
import type { WatchedWork } from './watched-work.ts'
import { type Mode, ownerOf, tryPart, type WriteEnd, type Writing } from './writing.ts'

/** What a draft has besides what all have. */
function bodyOf({ kind: _, id, organizationId, createdAt, changedAt, restores, reach, ...body }: Draft): object {
  return body
}

function arrivingOf({ app, work, draft, left, without, dates }: Writing<Draft>): Arriving<object> {
  const { id, organizationId, createdAt, changedAt, restores, reach } = draft
  return {
    ...{
      app,
      work,
      without,
      dates,
      id,
      organizationId,
      createdAt,
      changedAt,
      owner: ownerOf(app, draft),
      draft: bodyOf(draft),
    },
    ...(restores && { restores }),
    ...(reach && { reach }),
    leave: (reason) => void left.push(reason),
    part: (name, carry) => tryPart(left, name, carry),
  }
}

/** What is there stays as it is, or becomes what its source has now. */
export async function putObject(
  writing: Writing<Draft>,
  { kind, carried }: Carrier,
  mode: Mode,
  work: WatchedWork,
): Promise<WriteEnd> {
  const { app, draft } = writing
  const id = carried.idOf?.(app, draft)
  const found = await work.get(kind, id ?? draft.id)
  // Another object under the ID is refused by its decider.
  const isIt = found !== undefined && (id !== undefined || found.owner === ownerOf(app, draft))
  const isThere = isIt && carried.lives(found.state) && carried.has?.(found.state, draft) !== false
  const waiting = carried.later?.(draft)
  const later = waiting && { later: waiting }
  if (isThere && mode === 'carry') return { end: 'there', ...later }
  await carried.put(arrivingOf(writing), isThere ? found.state : undefined)
  if (isThere) await work.check(app)
  return { end: !work.isChange ? 'there' : isThere ? 'changed' : 'carried', ...later }
}
