/** The texts of the first page, in English. */

export const en = {
  title: 'Home',
  welcome: (name: string) => `Welcome, ${name}`,
  version: 'Version',
  address: 'Address of this server',
}

export type HomeTexts = typeof en
