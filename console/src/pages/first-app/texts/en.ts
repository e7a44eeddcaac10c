/** The texts of the way to a protected app, in English. */
import type { Sentences } from '../../../texts/languages.ts'

export const en = {
  title: 'Protect an app',
  titleOf: 'Protect an app: {framework}',
  step: 'Step {number} of 3',
  home: 'Home',
  other: 'Choose something else',
  what: 'What are you building?',
  kinds: {
    web: 'Web app with a server',
    spa: 'Single-page app in the browser',
    api: 'Checks the tokens that other apps send',
    native: 'App on a phone or computer',
  },
  machine: 'A program that runs without a person is a machine user.',
  createMachine: 'Create machine user',
  create: 'Create app',
  address: 'Address of your app',
  addressHint: 'Where it runs while you develop. You can add more addresses later.',
  apiAddress: 'Address of your API',
  apiAddressHint:
    'Access tokens are issued for this address, and the code on the next page accepts no others. Apps ask for them with the parameter “resource”.',
  redirectHint: 'Where the browser returns after sign-in. This is what the code on the next page uses.',
  project: 'My apps',
  newProject: 'My apps (new)',
  projectHint: 'Apps in a project share roles, and accept each other’s tokens.',
} as const

export type FirstAppTexts = Sentences<typeof en>
