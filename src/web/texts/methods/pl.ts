/** The sentences about turning ways to sign in on and off, and the names of buttons, in Polish. */
import type { methodTexts as english } from './en.ts'

export const methodTexts: typeof english = {
  buttons: {
    device: (browser, system) => `${browser} (${system})`,
    signOutOf: (device) => `Wyloguj: ${device}`,
    labelled: (button, name) => `${button}: ${name}`,
  },
  turnOn: {
    title: 'Wpisz kod',
    lead: (target) =>
      `Wysłaliśmy kod weryfikacyjny na ${target}. Wpisz go, aby włączyć tę metodę. Kod jest ważny przez 5 minut.`,
    code: 'Kod weryfikacyjny',
    button: 'Włącz',
    again: 'Wyślij nowy kod',
    missing: 'Wpisz kod.',
    refused: 'Ten kod jest nieprawidłowy, wygasł lub został już użyty. Spróbuj ponownie z nowym kodem.',
    noTexts: 'Wiadomości SMS nie są tu dostępne',
  },
  removal: {
    remove: (name) => `Usunąć „${name}”?`,
    turnOff: (name) => `Wyłączyć „${name}”?`,
    lead: 'Nie będzie już można się w ten sposób logować.',
    factorLead: 'Bez tego drugiego etapu konto będzie słabiej chronione.',
    cancel: 'Anuluj',
  },
  othersEnded: 'Wszystkie inne sesje zostały zakończone.',
}
