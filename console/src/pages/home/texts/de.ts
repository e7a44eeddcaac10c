/** The texts of the first page, in German. */
import type { HomeTexts } from './en.ts'

export const de: HomeTexts = {
  title: 'Start',
  welcome: (name) => `Willkommen, ${name}`,
  version: 'Version',
  address: 'Adresse dieses Servers',
}
