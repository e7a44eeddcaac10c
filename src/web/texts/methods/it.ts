/** The sentences about turning ways to sign in on and off, and the names of buttons, in Italian. */
import type { methodTexts as english } from './en.ts'

export const methodTexts: typeof english = {
  buttons: {
    device: (browser, system) => `${browser} su ${system}`,
    signOutOf: (device) => `Esci: ${device}`,
    labelled: (button, name) => `${button}: ${name}`,
  },
  turnOn: {
    title: 'Inserisci il codice',
    lead: (target) =>
      `Abbiamo inviato un codice di verifica a ${target}. Inseriscilo per attivare questo metodo. È valido per 5 minuti.`,
    code: 'Codice di verifica',
    button: 'Attiva',
    again: 'Invia un nuovo codice',
    missing: 'Inserisci il codice.',
    refused: 'Questo codice è errato, è scaduto o è già stato usato. Riprova con un nuovo codice.',
    noTexts: 'Qui gli SMS non sono disponibili',
  },
  removal: {
    remove: (name) => `Rimuovere “${name}”?`,
    turnOff: (name) => `Disattivare “${name}”?`,
    lead: 'Non potrai più usarlo per accedere.',
    factorLead: 'Senza questo secondo passaggio il tuo account sarà meno protetto.',
    cancel: 'Annulla',
  },
  othersEnded: 'Tutte le altre sessioni sono state chiuse.',
}
