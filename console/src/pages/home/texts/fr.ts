/** The texts of the first page, in French. */
import type { HomeTexts } from './en.ts'

export const fr: HomeTexts = {
  title: 'Accueil',
  welcome: (name) => `Bienvenue, ${name}`,
  version: 'Version',
  address: 'Adresse de ce serveur',
}
