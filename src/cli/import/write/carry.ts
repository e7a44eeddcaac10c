/** Puts and removes objects of kinds that say by themselves how they are carried. */

import type { App } from '../../../module/app.ts'
import type { AnyCarried, Arriving, Draft } from '../../../module/carried.ts'
import type { Carrier } from '../../carriers.ts'
import type { WatchedWork } from './watched-work.ts'
import { type Mode, ownerOf, tryPart, type WriteEnd, type Writing } from './writing.ts'

/** What a draft has besides what all have. */
function bodyOf({ kind: _, id, organizationId, createdAt, changedAt, restores, reach, ...body }: Draft): object {
  return body
}

/** The ID of the document of an object. */
function documentIdOf({ inside }: AnyCarried, app: App, draft: Pick<Draft, 'id' | 'organizationId'>): string {
  return inside === undefined ? draft.id : inside(app, draft)
}

function arrivingOf({ app, work, draft, left, dates }: Writing<Draft>): Arriving<object> {
  const { id, organizationId, createdAt, changedAt, restores, reach } = draft
  return {
    ...{ app, work, dates, id, organizationId, createdAt, changedAt, owner: ownerOf(app, draft), draft: bodyOf(draft) },
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
  const found = await work.get(kind, documentIdOf(carried, app, draft))
  const isThere = found !== undefined && found.owner === ownerOf(app, draft) && carried.lives(found.state)
  if (isThere && mode === 'carry' && carried.inside === undefined) return { end: 'there' }
  const later = await carried.put(arrivingOf(writing), isThere ? found.state : undefined)
  if (isThere && mode === 'follow') await work.check(app)
  if (!work.isChange) return { end: 'there', ...(later && { later }) }
  return { end: isThere && mode === 'follow' ? 'changed' : 'carried', ...(later && { later }) }
}
