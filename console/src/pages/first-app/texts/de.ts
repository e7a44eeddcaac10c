/** The texts of the way to a protected app, in German. */
import type { FirstAppTexts } from './en.ts'

export const de: FirstAppTexts = {
  title: 'App absichern',
  titleOf: (framework: string) => `App absichern: ${framework}`,
  step: (number: number) => `Schritt ${number} von 3`,
  home: 'Start',
  other: 'Etwas anderes wählen',
  what: 'Was entwickeln Sie?',
  kinds: {
    web: 'Web-App mit Server',
    spa: 'Single-Page-App im Browser',
    api: 'Prüft die Tokens, die andere Apps schicken',
    native: 'App auf Smartphone oder Computer',
  },
  machine: 'Ein Programm, das ohne Person läuft, ist ein Maschinenbenutzer.',
  createMachine: 'Maschinenbenutzer erstellen',
  create: 'App erstellen',
  address: 'Adresse Ihrer App',
  addressHint: 'Wo sie während der Entwicklung läuft. Weitere Adressen können Sie später ergänzen.',
  apiAddress: 'Adresse Ihrer API',
  apiAddressHint:
    'Access Tokens werden für diese Adresse ausgestellt, und der Code auf der nächsten Seite nimmt keine anderen an. Apps fordern sie mit dem Parameter „resource“ an.',
  redirectHint:
    'Wohin der Browser nach der Anmeldung zurückkehrt. Der Code auf der nächsten Seite verwendet diese Adresse.',
  project: 'Meine Apps',
  newProject: 'Meine Apps (neu)',
  projectHint: 'Apps eines Projekts teilen sich Rollen und akzeptieren gegenseitig ihre Tokens.',
}
