/** The sentences about turning ways to sign in on and off, and the names of buttons, in English. */

export const methodTexts = {
  buttons: {
    /** A browser on a system, as the list of sessions names it. */
    device: '{browser} on {system}',
    signOutOf: 'Sign out of {device}',
    /** The name of a button for one of several things; it contains the text of the button. */
    labelled: '{button} {name}',
  },
  turnOn: {
    title: 'Enter the code',
    lead: 'We sent a verification code to {target}. Enter it to turn this method on. It is valid for 5 minutes.',
    code: 'Verification code',
    button: 'Turn on',
    again: 'Send new code',
    missing: 'Enter the code.',
    refused: 'This code is incorrect, has expired or was already used. Try again with a new code.',
    noTexts: 'Text messages are not available here',
  },
  removal: {
    remove: 'Remove “{name}”?',
    turnOff: 'Turn off “{name}”?',
    lead: 'You will no longer be able to sign in with it.',
    factorLead: 'Your account will be less protected without this second step.',
    cancel: 'Cancel',
  },
  othersEnded: 'You have been signed out of all other sessions.',
} as const
