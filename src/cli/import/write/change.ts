/** Changes objects that are here to what the source has now, except users. */
import { followSmtpConfig } from '../../../features/mail/index.ts'
import { followSmsProvider } from '../../../features/sms/index.ts'
import { hasPicture, setPicture } from '../../../features/users/index.ts'
import type { AnyDraft, CarriedDraft } from '../draft.ts'
import { setEntry } from './belonging.ts'
import type { ChangeDraft } from './writing.ts'

type Changers = {
  readonly [Kind in Exclude<AnyDraft['kind'], CarriedDraft['kind']>]: ChangeDraft<
    Extract<AnyDraft, { readonly kind: Kind }>
  >
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
  metadata: setEntry,
  async picture({ app, work, draft }) {
    const { of, objectId } = draft
    const bytes = Buffer.from(draft.bytes)
    if (of === 'user' && !(await hasPicture(work, objectId, bytes))) await setPicture(app, work, objectId, bytes)
  },
}
