/** The sentences about turning ways to sign in on and off, and the names of buttons, in French. */
import type { methodTexts as english } from './en.ts'

export const methodTexts: typeof english = {
  buttons: {
    device: (browser, system) => `${browser} sur ${system}`,
    signOutOf: (device) => `Déconnecter : ${device}`,
    labelled: (button, name) => `${button} : ${name}`,
  },
  turnOn: {
    title: 'Saisissez le code',
    lead: (target) =>
      `Nous avons envoyé un code de validation à ${target}. Saisissez-le pour activer cette méthode. Il est valable 5 minutes.`,
    code: 'Code de validation',
    button: 'Activer',
    again: 'Envoyer un nouveau code',
    missing: 'Saisissez le code.',
    refused: 'Ce code est incorrect, a expiré ou a déjà été utilisé. Réessayez avec un nouveau code.',
    noTexts: 'Les SMS ne sont pas disponibles ici',
  },
  removal: {
    remove: (name) => `Supprimer « ${name} » ?`,
    turnOff: (name) => `Désactiver « ${name} » ?`,
    lead: 'Vous ne pourrez plus l’utiliser pour vous connecter.',
    factorLead: 'Sans cette deuxième étape, votre compte sera moins protégé.',
    cancel: 'Annuler',
  },
  othersEnded: 'Toutes les autres sessions ont été déconnectées.',
}
