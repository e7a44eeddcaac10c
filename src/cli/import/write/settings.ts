/** Writes settings and texts. */
import { importDefaultOrganization, importInstanceName } from '../../../features/instances/index.ts'
import { importEmailWebhook, importMessageText, importSmtpConfig, smtpConfigs } from '../../../features/mail/index.ts'
import { organizations } from '../../../features/organizations/index.ts'
import {
  type ImportedSettings,
  importPageTexts,
  importSettings,
  importTranslation,
} from '../../../features/settings/index.ts'
import { importSmsProvider, smsProviders } from '../../../features/sms/index.ts'
import type { SettingsDraft, TextDraft } from '../draft.ts'
import { isThere, ownerOf, type WriteDraft, type WriteEnd } from './writing.ts'

const THERE: WriteEnd = { end: 'there' }
const CARRIED: WriteEnd = { end: 'carried' }

export const writeSettings: WriteDraft<SettingsDraft> = async ({ app, work, draft, left }) => {
  const { id, section, restores = false } = draft
  switch (section) {
    case 'smtp': {
      if (await isThere(work, smtpConfigs, id, app.instanceId)) return THERE
      const { password = '', isActive, ...settings } = draft.values
      await importSmtpConfig(app, work, { id, settings, password, isActive: restores && isActive })
      if (isActive && !restores) left.push('The mail server is not active yet: test it, then activate it.')
      return CARRIED
    }
    case 'emailWebhook': {
      if (await isThere(work, smtpConfigs, id, app.instanceId)) return THERE
      const { isActive, ...values } = draft.values
      await importEmailWebhook(app, work, { id, ...values, isActive: restores && isActive })
      return CARRIED
    }
    case 'twilio':
    case 'sms': {
      if (await isThere(work, smsProviders, id, app.instanceId)) return THERE
      const { isActive, ...values } = draft.values
      await importSmsProvider(app, work, { id, ...values, isActive: restores && isActive })
      if (isActive && !restores) left.push('The provider of text messages is not active yet: activate it.')
      return CARRIED
    }
    case 'instance': {
      const { name, defaultOrganizationId } = draft.values
      await importInstanceName(app, work, name)
      if (
        defaultOrganizationId !== undefined &&
        (await isThere(work, organizations, defaultOrganizationId, defaultOrganizationId))
      ) {
        await importDefaultOrganization(app, work, defaultOrganizationId)
      }
      return CARRIED
    }
    default:
      await importSettings(app, work, ownerOf(app, draft), {
        section,
        values: draft.values,
        reach: draft.reach,
      } as ImportedSettings)
      return CARRIED
  }
}

export const writeText: WriteDraft<TextDraft> = async ({ app, work, draft }) => {
  const { target, language, texts, translations, messageType, reach } = draft
  const owner = ownerOf(app, draft)
  if (target === 'page') await importPageTexts(app, work, owner, { language, texts })
  else if (messageType === undefined) await importTranslation(app, work, owner, { language, texts, translations })
  else await importMessageText(app, work, owner, { type: messageType, language, parts: texts, ...(reach && { reach }) })
  return CARRIED
}
