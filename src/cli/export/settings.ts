/** Describes settings and texts. */
import { messageTexts, smtpConfigs } from '../../features/mail/index.ts'
import {
  loginTranslations,
  pageTexts,
  describeSettings as sectionsOf,
  settings,
} from '../../features/settings/index.ts'
import { smsProviders } from '../../features/sms/index.ts'
import type { SettingsDraft, TextDraft } from '../import/draft.ts'
import { datesOf, type Reading, type Row } from './reading.ts'

async function* describeMessaging(reading: Reading): AsyncGenerator<SettingsDraft> {
  const about = { kind: 'settings', organizationId: '' } as const
  for await (const row of reading.rows(smtpConfigs)) {
    const { state, id } = row
    if (state.status !== 'active' && state.status !== 'inactive') continue
    if (state.type === 'http') {
      const { status, endpoint, description } = state
      const signingKey = reading.unseal(smtpConfigs, row, 'signingKey') ?? ''
      const values = { endpoint, description, isActive: status === 'active', signingKey }
      yield { ...about, id, ...datesOf(row), section: 'emailWebhook', values }
      continue
    }
    const { status, secret: _, type: __, ...values } = state
    const password = reading.unseal(smtpConfigs, row, 'password')
    const secret = password === undefined || password === '' ? {} : { password }
    yield {
      ...about,
      id,
      ...datesOf(row),
      section: 'smtp',
      values: { ...values, isActive: status === 'active', ...secret },
    }
  }
  for await (const row of reading.rows(smsProviders)) {
    const { state, id } = row
    if (state.status !== 'active' && state.status !== 'inactive') continue
    const isActive = state.status === 'active'
    if (state.type === 'twilio') {
      const { sid, senderNumber, verifyServiceSid, description } = state
      const token = reading.unseal(smsProviders, row, 'token') ?? ''
      const values = { sid, senderNumber, verifyServiceSid, description, isActive, token }
      yield { ...about, id, ...datesOf(row), section: 'twilio', values }
      continue
    }
    const { endpoint, description } = state
    const signingKey = reading.unseal(smsProviders, row, 'signingKey') ?? ''
    yield { ...about, id, ...datesOf(row), section: 'sms', values: { endpoint, description, isActive, signingKey } }
  }
}

export async function* describeSettings(reading: Reading): AsyncGenerator<SettingsDraft> {
  for await (const row of reading.rows(settings)) {
    const about = { kind: 'settings', organizationId: reading.organizationOf(row.owner), ...datesOf(row) } as const
    for (const one of sectionsOf(row.state)) yield { ...about, id: one.section, ...one } as SettingsDraft
  }
  yield* describeMessaging(reading)
}

export async function* describeTexts(reading: Reading): AsyncGenerator<TextDraft> {
  const about = (row: Row<unknown>) =>
    ({ kind: 'text', id: row.id, organizationId: reading.organizationOf(row.owner), ...datesOf(row) }) as const
  for await (const row of reading.rows(pageTexts)) {
    const { state, id, owner } = row
    if (state.status !== 'set') continue
    yield { ...about(row), target: 'page', language: id.slice(owner.length + 1), texts: state.texts }
  }
  for await (const row of reading.rows(messageTexts)) {
    const { state } = row
    if (state.status !== 'set') continue
    const { type: messageType, language, parts, reach } = state
    const texts = parts as Readonly<Record<string, string>>
    yield { ...about(row), target: 'mail', messageType, language, texts, ...(reach && { reach }) }
  }
  for await (const row of reading.rows(loginTranslations)) {
    const { state, id, owner } = row
    if (state.status !== 'set') continue
    const language = id.slice(owner.length + 1)
    yield { ...about(row), target: 'login-app', language, texts: {}, translations: state.translations }
  }
}
