/** The texts of web keys, in English. */
import type { Sentences } from '../../../texts/languages.ts'

export const en = {
  title: 'Web keys',
  key: 'Web key',
  lead: 'The keys that sign tokens. Exactly one of them is active.',
  search: 'ID or algorithm',
  published: 'Published keys (JWKS)',
  create: 'Create web key',
  created: 'Web key created and published.',
  createHint: 'The key is published immediately but doesn’t sign anything until you activate it.',
  id: 'ID (kid)',
  algorithm: 'Algorithm',
  state: 'State',
  states: { initial: 'Published', active: 'Active', inactive: 'Inactive' },
  createdAt: 'Created',
  changedAt: 'Changed',
  type: 'Type',
  typeHint: 'Every client can verify RSA with SHA-256. Check with your clients before choosing another.',
  bits: 'Length in bits',
  hash: 'Hash function',
  curve: 'Curve',
  gone: 'This key doesn’t exist.',
  activeHint: 'This key signs tokens. To remove it, activate another one first.',
  activate: 'Activate',
  activated: 'Key activated.',
  activateTitle: 'Activate “{id}”?',
  activateHint:
    'New tokens are signed with this key immediately. Wait at least 10 minutes after creating it, so that clients have time to fetch it.',
  remove: 'Remove',
  removed: 'Key removed.',
  removeConsequence: 'Tokens signed with this key can no longer be verified.',
} as const

export type WebKeyTexts = Sentences<typeof en>
