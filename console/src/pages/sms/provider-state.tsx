/** The state and the name of an SMS provider. */
import { type SMSProvider, SMSProviderConfigState } from '../../../../contract/gen/signet/settings/v1/settings_pb.ts'
import { StateBadge } from '../../parts/state-badge.tsx'
import { useTexts } from '../../texts/index.tsx'
import { smsTexts } from './texts/index.ts'

/** Whether text messages go through it. */
export function isActive({ state }: SMSProvider): boolean {
  return state === SMSProviderConfigState.SMS_PROVIDER_CONFIG_ACTIVE
}

/** The URL that text messages are posted to, or the account. */
export function endpointOf({ config }: SMSProvider): string {
  if (config.case === 'twilio') return `Twilio ${config.value.sid}`
  return config.case === 'http' ? config.value.endpoint : ''
}

/** Whether it is one that this page can change; accounts at Twilio are managed by the API. */
export function isWebhook({ config }: SMSProvider): boolean {
  return config.case === 'http'
}

/** The description, else the URL. */
export function nameOf(provider: SMSProvider): string {
  return provider.description || endpointOf(provider)
}

/** The state in one word. */
export function ProviderState({ provider }: { readonly provider: SMSProvider }) {
  const t = useTexts(smsTexts)
  return isActive(provider) ? (
    <StateBadge mood="good" label={t.active} />
  ) : (
    <StateBadge mood="stopped" label={t.inactive} />
  )
}
