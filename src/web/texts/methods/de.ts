/** The sentences about turning ways to sign in on and off, and the names of buttons, in German. */
import type { methodTexts as english } from './en.ts'

export const methodTexts: typeof english = {
  buttons: {
    device: (browser, system) => `${browser} auf ${system}`,
    signOutOf: (device) => `Abmelden: ${device}`,
    labelled: (button, name) => `${button}: ${name}`,
  },
  turnOn: {
    title: 'Code eingeben',
    lead: (target) =>
      `Wir haben einen Bestätigungscode an ${target} gesendet. Geben Sie ihn ein, um diese Methode zu aktivieren. Er gilt 5 Minuten.`,
    code: 'Bestätigungscode',
    button: 'Aktivieren',
    again: 'Neuen Code senden',
    missing: 'Geben Sie den Code ein.',
    refused:
      'Dieser Code ist falsch, abgelaufen oder wurde bereits verwendet. Versuchen Sie es mit einem neuen Code erneut.',
    noTexts: 'SMS sind hier nicht verfügbar',
  },
  removal: {
    remove: (name) => `„${name}“ entfernen?`,
    turnOff: (name) => `„${name}“ deaktivieren?`,
    lead: 'Sie können sich danach nicht mehr damit anmelden.',
    factorLead: 'Ohne diesen zweiten Schritt ist Ihr Konto weniger geschützt.',
    cancel: 'Abbrechen',
  },
  othersEnded: 'Alle anderen Sitzungen wurden abgemeldet.',
}
