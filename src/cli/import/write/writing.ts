/** What the writers of all kinds have in common. */
import { Refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Draft, Later } from '../../../module/carried.ts'
import type { AnyKind, Arrival, Dates, Work } from '../../../store/index.ts'

/** `follow`: what is there becomes what the source has now. Otherwise it stays as it is. */
export type Mode = 'carry' | 'follow'

/** Parts of an object that were left behind, one sentence each. */
export type LeftBehind = string[]

/** One draft while it is written. The function that gets it may run again after a conflict. */
export interface Writing<D extends Draft> {
  readonly app: App
  readonly work: Work
  readonly draft: D
  readonly left: LeftBehind
  /** Parts that are in the way. */
  readonly without: ReadonlySet<string>
  /** The dates of a part that are not those of the object. */
  dates(kind: AnyKind, id: string, dates: Dates): void
}

/** What became of a draft. `later`: what is done when everything else is there. */
export interface WriteEnd {
  readonly end: 'carried' | 'there' | 'changed'
  readonly later?: Later
}

export type WriteDraft<D extends Draft> = (writing: Writing<D>) => Promise<WriteEnd>

/** Changes what is there to what the draft says. */
export type ChangeDraft<D extends Draft> = (writing: Writing<D>) => Promise<void>

/** Why a change or a removal in the source was not taken over. */
export const KEPT_HERE = 'It was changed here since it came from there, and stays as it is here.'

/** Why something was refused, in one sentence. */
export function reasonOf(error: Refused): string {
  const fields = error.violations.map(({ field, description }) => `${field} ${description}`)
  const details = [...fields, ...(error.reason === undefined ? [] : [error.reason])].join('; ')
  return `${error.message.replace(/\.$/, '')}${details === '' ? '' : `: ${details.replace(/\.$/, '')}`} (${error.code}).`
}

/** Carries a part of an object, or says why it stays behind; the object is carried without it. */
export async function tryPart(left: LeftBehind, part: string, carry: () => unknown): Promise<void> {
  try {
    await carry()
  } catch (error) {
    if (!(error instanceof Refused) || error.kind === 'unavailable' || error.kind === 'aborted') throw error
    left.push(`${part} was not carried: ${reasonOf(error)}`)
  }
}

/** Whether an object of this kind, ID and owner is there already. Another object under the ID is refused by its decider. */
export async function isThere(work: Work, kind: AnyKind, id: string, owner: string): Promise<boolean> {
  const found = await work.get(kind, id)
  return found !== undefined && found.owner === owner
}

/** The organization, or the instance. */
export function ownerOf(app: App, { organizationId }: { readonly organizationId: string }): string {
  return organizationId === '' ? app.instanceId : organizationId
}

/** Where a write says that its objects came from. */
export function arrivalOf(source: string, { createdAt, changedAt }: Dates, parts: ReadonlyMap<string, Dates>): Arrival {
  return { source, datesOf: (kind, id) => parts.get(`${kind} ${id}`) ?? { createdAt, changedAt } }
}
