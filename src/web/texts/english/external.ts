/** The sentences of signing in with identity providers, in English. */

export const externalTexts = {
  external: {
    /** Stands in for the name of a provider that no longer exists. */
    unknown: 'third-party provider',
    signInWith: 'Continue with {providerName}',
    more: 'More ways to sign in',
    goOnWith: 'Continue with {providerName}',
    failed: {
      title: 'Sign-in with {providerName} failed',
      text: 'It took too long, was already completed or is not allowed here. Nothing was changed. Try again.',
    },
    cancelled: {
      title: 'Sign-in with {providerName} canceled',
      text: 'Nothing was changed. Try again or use another way to sign in.',
    },
    unavailable: {
      title: 'Sign-in with {providerName} is unavailable',
      text: 'The provider is not responding correctly. Try again in a few minutes or use another way to sign in.',
    },
    taken: {
      title: 'This account is already linked',
      text: 'The {providerName} account “{account}” is linked to another user. To sign in with it, sign out first.',
    },
    unlinked: {
      title: 'This {providerName} account can’t be used here',
      text: 'The {providerName} account “{account}” is not linked to any user. Ask your administrator for access.',
    },
    back: 'Back to sign-in',
    link: {
      title: 'Link your {providerName} account?',
      lead: 'You signed in with the {providerName} account “{account}”. If you link it, anyone with access to it can sign in as “{userName}”.',
      yes: 'Link account',
      no: 'Cancel',
    },
    welcome: {
      title: 'Welcome',
      lead: 'You signed in with the {providerName} account “{account}”.',
      register: 'Check your details to create your account.',
      firstName: 'First name',
      lastName: 'Last name',
      userName: 'Username',
      email: 'Email address',
      button: 'Create account',
      firstNameWrong: 'Enter a valid first name.',
      lastNameWrong: 'Enter a valid last name.',
      userNameWrong:
        'This username is not available. Choose another one. You can use an email address only if it is your own.',
      emailWrong: 'Enter a valid email address.',
      known: 'Already have an account?',
      knownText: 'Sign in to it first. You can then link the two accounts.',
      knownOnly: 'To use it here, sign in to your existing account first. You can then link the two accounts.',
      signIn: 'Sign in to your account',
    },
    account: {
      title: 'Linked accounts',
      lead: 'Sign in with an account from another provider.',
      off: 'Currently unavailable',
      link: 'Link {providerName}',
      more: 'More providers',
      other: 'Sign in with another account',
    },
  },
} as const
