/** Events about actions: their targets, and when these are called. */

export const actionSentences: Readonly<Record<string, string>> = {
  'target.added': 'A target of actions was added.',
  'target.changed': 'A target of actions was changed.',
  'target.key_resealed': 'The signing key of a target was encrypted again.',
  'target.removed': 'A target of actions was removed.',
  'target.public_key_added': 'A target got a public key.',
  'target.public_key_activated': 'A public key of a target was activated.',
  'target.public_key_deactivated': 'A public key of a target was deactivated.',
  'target.public_key_removed': 'A public key of a target was removed.',
  'execution.set': 'The targets of an action were set.',
  'execution.removed': 'An action was removed.',
  'execution.target_withdrawn': 'A removed target was taken out of all actions.',
}
