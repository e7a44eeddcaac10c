/** The sentences of the pages that applications lead to, in French. */
import type { applicationTexts as en } from './en.ts'

export const applicationTexts: typeof en = {
  requestFailed: {
    title: 'L’application a fait une erreur',
    text: 'La demande de l’application ne peut pas être traitée. Retournez à l’application et réessayez.',
    code: (error) => `Pour les développeurs de l’application : ${error}`,
  },
  goOn: {
    title: 'Vous êtes connecté',
    lead: 'Vous allez être redirigé vers l’application.',
    button: 'Continuer',
  },
}
