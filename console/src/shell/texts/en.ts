/** The texts of the frame, in English. */

export const en = {
  skip: 'Skip to the page',
  menu: 'Navigation',
  account: 'My account',
  signOut: 'Sign out',
  language: 'Language',
  appearance: 'Appearance',
  schemes: { auto: 'Like the system', light: 'Light', dark: 'Dark' },
  userMenu: (name: string) => `Menu of ${name}`,
  organization: 'Organization',
  allOrganizations: 'All organizations',
  confirmed: 'You have signed in again. Please repeat what you wanted to do.',
  signInFailed: 'The sign-in failed',
  tryAgain: 'Try again',
  lost: { title: 'Connection lost', text: 'The server cannot be reached. Changes are not saved.' },
  notFound: { title: 'Page not found', text: 'There is no page at this address.' },
  noRoles: { title: 'No administrator role', text: 'You have no role that lets you administer anything here.' },
  search: {
    button: 'Find people',
    label: 'Name, email address, username or ID',
    nothing: 'Nothing found',
  },
  navigation: {
    home: 'Home',
    users: 'Users',
    organizations: 'Organizations',
    projects: 'Projects',
    identityProviders: 'Identity providers',
    mail: 'Mail',
    sms: 'SMS',
    signIn: 'Sign-in settings',
    branding: 'Branding',
    webKeys: 'Web keys',
    administrators: 'Administrators',
    audit: 'Audit',
    settings: 'Settings',
  },
  navigationGroups: { signIn: 'Sign-in', messages: 'Messages', system: 'System' },
}

export type ShellTexts = typeof en
