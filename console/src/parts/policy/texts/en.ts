/** The texts of settings that organizations can have of their own, in English. */

export const en = {
  instance: 'Instance',
  inherited: 'From the instance',
  own: 'Own settings',
  reset: 'Use those of the instance',
  resetConsequence: 'The settings of the organization are removed. Those of the instance apply again.',
  ofInstance:
    'These settings apply to all organizations without settings of their own. To change those of one organization, choose it in the header.',
  ofOrganization: 'These settings apply to the organization that is chosen in the header.',
} as const
