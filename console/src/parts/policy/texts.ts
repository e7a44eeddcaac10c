/** The texts of settings that organizations can have of their own. */
import type { Texts } from '../../texts/languages.ts'

const en = {
  instance: 'Instance',
  inherited: 'From the instance',
  own: 'Own settings',
  reset: 'Use those of the instance',
  resetConsequence: 'The settings of the organization are removed. Those of the instance apply again.',
  ofInstance:
    'These settings apply to all organizations without settings of their own. To change those of one organization, choose it in the header.',
  ofOrganization: 'These settings apply to the organization that is chosen in the header.',
}

type PolicyTexts = typeof en

const de: PolicyTexts = {
  instance: 'Instanz',
  inherited: 'Von der Instanz',
  own: 'Eigene Einstellungen',
  reset: 'Die der Instanz verwenden',
  resetConsequence: 'Die Einstellungen der Organisation werden entfernt. Es gelten wieder die der Instanz.',
  ofInstance:
    'Diese Einstellungen gelten für alle Organisationen ohne eigene. Um die einer Organisation zu ändern, wählen Sie sie oben aus.',
  ofOrganization: 'Diese Einstellungen gelten für die Organisation, die oben ausgewählt ist.',
}

const fr: PolicyTexts = {
  instance: 'Instance',
  inherited: 'De l’instance',
  own: 'Réglages propres',
  reset: 'Utiliser ceux de l’instance',
  resetConsequence: 'Les réglages de l’organisation sont supprimés. Ceux de l’instance s’appliquent de nouveau.',
  ofInstance:
    'Ces réglages s’appliquent à toutes les organisations sans réglages propres. Pour modifier ceux d’une organisation, choisissez-la en haut.',
  ofOrganization: 'Ces réglages s’appliquent à l’organisation choisie en haut.',
}

export const policyTexts: Texts<PolicyTexts> = { en, de, fr }
