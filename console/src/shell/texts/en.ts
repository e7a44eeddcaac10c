/** The texts of the frame, in English. */

export const en = {
  skip: 'Skip to the page',
  menu: 'Navigation',
  documentation: 'Documentation',
  account: 'My account',
  signOut: 'Sign out',
  language: 'Language',
  appearance: 'Appearance',
  schemes: { auto: 'Match system', light: 'Light', dark: 'Dark' },
  userMenu: (name: string) => `${name}’s menu`,
  organization: 'Organization',
  allOrganizations: 'All organizations',
  confirmed: 'You’re signed in again. Please repeat your last action.',
  signInFailed: 'Sign-in failed',
  tryAgain: 'Try again',
  lost: { title: 'Connection lost', text: 'The server can’t be reached. Your changes aren’t saved.' },
  notFound: { title: 'Page not found', text: 'There’s no page at this address.' },
  noRoles: { title: 'No administrator role', text: 'You don’t have an administrator role on this server.' },
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
