/** The sentences of signing in with accounts at other services, in English. */

export const externalTexts = {
  external: {
    /** Where the name of a provider would stand that is not there any more. */
    unknown: 'another service',
    signInWith: (name: string) => `Sign in with ${name}`,
    more: 'More ways to sign in',
    goOnWith: (name: string) => `Go on with ${name}`,
    failed: {
      title: (name: string) => `Signing in with ${name} did not work`,
      text: 'It took too long, was finished already, or cannot be used here. Nothing has changed; you can try again.',
    },
    cancelled: {
      title: (name: string) => `You did not sign in with ${name}`,
      text: 'It was cancelled there, or not allowed. Nothing has changed; you can try again, or choose another way.',
    },
    unavailable: {
      title: (name: string) => `${name} cannot be reached now`,
      text: 'It does not answer as it should. Try again in a few minutes, or choose another way.',
    },
    taken: {
      title: 'This account is linked already',
      text: (name: string, account: string) =>
        `The ${name} account “${account}” belongs to somebody else here. To use it, sign out first.`,
    },
    nobody: {
      title: (name: string) => `This ${name} account cannot be used here`,
      text: (name: string, account: string) =>
        `Nobody here has the ${name} account “${account}”. Ask the people who run this service for access.`,
    },
    back: 'Back to signing in',
    link: {
      title: (name: string) => `Link your ${name} account?`,
      lead: (name: string, account: string, userName: string) =>
        `You have signed in with the ${name} account “${account}”. If you link it, whoever can use it can sign in here as “${userName}”.`,
      yes: 'Yes, link it',
      no: 'No, leave it',
    },
    welcome: {
      title: 'Welcome',
      lead: (name: string, account: string) => `You have signed in with the ${name} account “${account}”.`,
      register: 'Look through this once, and your account here is ready.',
      firstName: 'First name',
      lastName: 'Last name',
      userName: 'User name',
      email: 'E-mail address',
      button: 'Create account',
      firstNameWrong: 'Enter a first name that can be used.',
      lastNameWrong: 'Enter a last name that can be used.',
      userNameWrong:
        'This user name cannot be used here. Choose another one; an e-mail address only if it is your own.',
      emailWrong: 'Enter an e-mail address.',
      known: 'Do you have an account here already?',
      knownText: 'Sign in with it first; then you are asked whether to link the two.',
      knownOnly:
        'To use it here, sign in first with the account that you have here; then you are asked whether to link the two.',
      signIn: 'Sign in with my account',
    },
    account: {
      title: 'Accounts at other services',
      lead: 'With an account that you have elsewhere, you sign in here too.',
      off: 'cannot be used now',
      link: (name: string) => `Link ${name}`,
      more: 'More services',
      other: 'Sign in as somebody else',
    },
  },
}
