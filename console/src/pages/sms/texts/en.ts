/** The texts of SMS providers, in English. */
import type { Sentences } from '../../../texts/languages.ts'

export const en = {
  title: 'SMS providers',
  provider: 'SMS provider',
  lead: 'Webhooks that send text messages. At most one is active.',
  noneActive: 'No provider is active. Text messages go to the development inbox instead of their recipients.',
  search: 'Description, URL or ID',
  create: 'Add SMS provider',
  created: 'SMS provider added.',
  empty: 'No SMS providers yet.',
  description: 'Description',
  endpoint: 'URL',
  endpointHint: 'Each text message is posted to this address as JSON, signed with the key.',
  state: 'State',
  changed: 'Changed',
  active: 'Active',
  inactive: 'Not active',
  settings: 'Settings',
  signingKey: 'Signing key',
  signingKeyHint: 'The receiver uses it to check that a request comes from this server.',
  renewKey: 'Create new key',
  renewHint: 'The current key stops working immediately.',
  keyRenewed: 'Signing key replaced.',
  continue: 'Continue',
  activate: 'Activate',
  activated: 'SMS provider activated.',
  deactivate: 'Deactivate',
  deactivated: 'SMS provider deactivated.',
  remove: 'Remove',
  removed: 'SMS provider removed.',
  removeConsequence:
    'Text messages will no longer be sent through it. To send codes by SMS, activate another provider.',
} as const

export type SmsTexts = Sentences<typeof en>
