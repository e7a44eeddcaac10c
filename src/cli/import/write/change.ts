/** Changes objects that are here to what the source has now, except users. */
import { followProvider, importProviderChoice } from '../../../features/identity-providers/index.ts'
import { followSmtpConfig } from '../../../features/mail/index.ts'
import { followSmsProvider } from '../../../features/sms/index.ts'
import { hasPicture, setPicture } from '../../../features/users/index.ts'
import type { AnyDraft, CarriedDraft, ForeignKind } from '../draft.ts'
import { setEntry } from './belonging.ts'
import { type ChangeDraft, ownerOf, tryPart } from './writing.ts'

type Changers = {
  readonly [Kind in Exclude<ForeignKind, CarriedDraft['kind']>]: ChangeDraft<Extract<AnyDraft, { readonly kind: Kind }>>
}

const nothing = async () => {}

/** What is made anew by the writers in any case, such as most settings, needs nothing here. */
export const CHANGERS: Changers = {
  text: nothing,
  async settings({ app, work, draft }) {
    const { id, section } = draft
    if (section === 'smtp') {
      const { password = '', isActive: _, ...settings } = draft.values
      await followSmtpConfig(app, work, { id, settings, password })
    }
    if (section === 'sms' || section === 'twilio') await followSmsProvider(app, work, { id, ...draft.values })
  },
  async 'identity-provider'({ app, work, draft, left }) {
    const { id, clientSecret: secret = '', choices = [], ...rest } = draft
    await followProvider(app, work, { id, owner: ownerOf(app, draft), secret, ...rest })
    for (const choice of choices) {
      const { organizationId, isOffered } = choice
      await tryPart(left, `The choice of organization ${organizationId || 'of the instance'} to offer it`, () =>
        importProviderChoice(app, work, { id, owner: ownerOf(app, choice), isOffered }),
      )
    }
  },
  metadata: setEntry,
  async picture({ app, work, draft }) {
    const { of, objectId } = draft
    const bytes = Buffer.from(draft.bytes)
    if (of === 'user' && !(await hasPicture(work, objectId, bytes))) await setPicture(app, work, objectId, bytes)
  },
}
