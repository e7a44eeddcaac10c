/** The texts of web keys, in English. */

export const en = {
  title: 'Web keys',
  key: 'Web key',
  lead: 'The keys that sign tokens. Exactly one of them is active.',
  search: 'ID or algorithm',
  published: 'Published keys (JWKS)',
  create: 'Create web key',
  created: 'The web key was created and published.',
  createHint: 'The key is published at once and signs nothing until you activate it.',
  id: 'ID (kid)',
  algorithm: 'Algorithm',
  state: 'State',
  states: { initial: 'Published', active: 'Active', inactive: 'Inactive' },
  createdAt: 'Created',
  changedAt: 'Changed',
  type: 'Type',
  typeHint: 'All clients can verify RSA with SHA-256. Check the others with your clients first.',
  bits: 'Length in bits',
  hash: 'Hash function',
  curve: 'Curve',
  gone: 'There is no such key.',
  activeHint: 'This key signs tokens. To remove it, activate another one first.',
  activate: 'Activate',
  activated: 'The key signs tokens now.',
  activateTitle: (id: string) => `Activate “${id}”?`,
  activateHint:
    'New tokens are signed with this key at once. Clients must have had time to fetch it: wait 10 minutes or more after it was created.',
  remove: 'Remove',
  removed: 'The key was removed.',
  removeConsequence: 'Tokens that it signed can no longer be verified.',
}

export type WebKeyTexts = typeof en
