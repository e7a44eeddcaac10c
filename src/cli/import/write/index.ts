/** Writes drafts of every kind: each in one commit, by the rules of the modules. */
import { SYSTEM_ACTOR } from '../../../kernel/actor.ts'
import { isTemporary, Refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Dates } from '../../../store/index.ts'
import type { AnyDraft } from '../draft.ts'
import { writeAdministrator, writeAuthorization, writeMetadata, writePicture } from './belonging.ts'
import { writeApplication, writeMachine } from './client.ts'
import { type LeftOut, writeHuman } from './human.ts'
import { writeOrganization, writeProject, writeProjectGrant } from './organization.ts'
import { writeProvider, writeSettings, writeText, writeTokenKey, writeWebKey } from './settings.ts'
import { arrivalOf, type LeftBehind, reasonOf, type WriteDraft, type WriteEnd } from './writing.ts'

type Writers = { readonly [Kind in AnyDraft['kind']]: WriteDraft<Extract<AnyDraft, { readonly kind: Kind }>> }

const WRITERS: Writers = {
  'token-key': writeTokenKey,
  'web-key': writeWebKey,
  settings: writeSettings,
  text: writeText,
  'identity-provider': writeProvider,
  organization: writeOrganization,
  project: writeProject,
  'project-grant': writeProjectGrant,
  human: writeHuman(),
  machine: writeMachine,
  application: writeApplication,
  metadata: writeMetadata,
  administrator: writeAdministrator,
  authorization: writeAuthorization,
  picture: writePicture,
}

/** What became of a draft: an end, and the parts that stayed behind; or why nothing of it was written. */
export type Written =
  | ({ readonly left: LeftBehind } & WriteEnd)
  | { readonly end: 'refused'; readonly reason: string; readonly left: LeftBehind }

async function write(app: App, source: string, draft: AnyDraft, by: WriteDraft<AnyDraft>): Promise<Written> {
  let left: LeftBehind = []
  const parts = new Map<string, Dates>()
  const origin = { actor: SYSTEM_ACTOR, at: app.clock(), arrival: arrivalOf(source, draft, parts) }
  const dates = (kind: { readonly name: string }, id: string, of: Dates) => void parts.set(`${kind.name} ${id}`, of)
  const { value } = await app.store.write(origin, (work) => {
    left = []
    return by({ app, work, draft, left, dates })
  })
  return { ...value, left }
}

/** What the next attempt leaves out after this refusal; undefined when there is none. */
function leftOutAfter(draft: AnyDraft, { code }: Refused, before: LeftOut): LeftOut | undefined {
  if (draft.kind !== 'human') return undefined
  if (!before.links && (code.startsWith('identity_link.') || code === 'user.identity_provider_not_found')) {
    return { ...before, links: true }
  }
  return !before.passkeys && code.startsWith('passkey.') ? { ...before, passkeys: true } : undefined
}

/** Writes a draft. What a rule refuses is an answer; that the database is away, or too busy, is thrown. */
export async function writeDraft(app: App, source: string, draft: AnyDraft): Promise<Written> {
  let by = WRITERS[draft.kind] as unknown as WriteDraft<AnyDraft>
  for (let leftOut: LeftOut = {}; ; ) {
    try {
      return await write(app, source, draft, by)
    } catch (error) {
      if (!(error instanceof Refused) || isTemporary(error)) throw error
      const next = leftOutAfter(draft, error, leftOut)
      if (next === undefined) return { end: 'refused', reason: reasonOf(error), left: [] }
      leftOut = next
      by = writeHuman(leftOut) as WriteDraft<AnyDraft>
    }
  }
}
