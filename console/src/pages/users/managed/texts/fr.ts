/** The texts about what a directory manages, in French. */
import type { ManagedTexts } from './en.ts'

export const fr: ManagedTexts = {
  user: 'Un annuaire gère cet utilisateur. Modifiez les noms, l’adresse e-mail, le numéro de téléphone, le nom d’utilisateur et l’état dans l’annuaire.',
  group: 'Un annuaire gère ce groupe. Modifiez son nom et ses utilisateurs dans l’annuaire.',
  since: 'Depuis',
  directory: 'Annuaire',
  detach: 'Détacher',
  detachHint: 'Tout reste en l’état. La prochaine modification par l’annuaire le rattache.',
  detachDone: 'Détaché de l’annuaire.',
}
