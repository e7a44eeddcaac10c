/** The sentences about turning ways to sign in on and off, and the names of buttons, in Dutch. */
import type { methodTexts as english } from './en.ts'

export const methodTexts: typeof english = {
  buttons: {
    device: (browser, system) => `${browser} op ${system}`,
    signOutOf: (device) => `Uitloggen: ${device}`,
    labelled: (button, name) => `${button}: ${name}`,
  },
  turnOn: {
    title: 'Vul de code in',
    lead: (target) =>
      `We hebben een verificatiecode naar ${target} gestuurd. Vul deze in om de methode aan te zetten. De code is 5 minuten geldig.`,
    code: 'Verificatiecode',
    button: 'Aanzetten',
    again: 'Nieuwe code versturen',
    missing: 'Vul de code in.',
    refused: 'Deze code is onjuist, verlopen of al gebruikt. Probeer het opnieuw met een nieuwe code.',
    noTexts: 'Sms-berichten zijn hier niet beschikbaar',
  },
  removal: {
    remove: (name) => `‘${name}’ verwijderen?`,
    turnOff: (name) => `‘${name}’ uitzetten?`,
    lead: 'Je kunt er daarna niet meer mee inloggen.',
    factorLead: 'Zonder deze tweede stap is je account minder goed beveiligd.',
    cancel: 'Annuleren',
  },
  othersEnded: 'Je bent uitgelogd bij alle andere sessies.',
}
