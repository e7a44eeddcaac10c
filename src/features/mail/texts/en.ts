/** What mails say in English. */
import type { LanguageTexts } from '../message-types.ts'

export const english: LanguageTexts = {
  labels: {
    code: 'Your code',
    link: 'If the button does not work, copy this address into your browser:',
    validFor: (duration) => `This is valid for ${duration}.`,
  },
  messages: {
    verify_email: {
      subject: 'Confirm your e-mail address',
      title: 'Confirm your e-mail address',
      greeting: 'Hello {{.DisplayName}},',
      text: 'Please confirm that this e-mail address belongs to you. It takes a single click.',
      buttonText: 'Confirm address',
      footer: 'If you did not expect this mail, you can ignore it: nothing happens without your confirmation.',
    },
    password_reset: {
      subject: 'Set a new password',
      title: 'Set a new password',
      greeting: 'Hello {{.DisplayName}},',
      text: 'Somebody, most likely you, asked for a new password for your account {{.UserName}}.',
      buttonText: 'Set password',
      footer: 'If it was not you, you can ignore this mail: your password stays as it is. Do not pass this mail on.',
    },
    invitation: {
      subject: 'Invitation to {{.ApplicationName}}',
      title: 'Welcome',
      greeting: 'Hello {{.DisplayName}},',
      text: 'An account at {{.ApplicationName}} has been created for you. Accept the invitation and choose how you want to sign in.',
      buttonText: 'Accept invitation',
      footer: 'If you do not know what this is about, you can ignore this mail. Do not pass it on.',
    },
    passkey_link: {
      subject: 'Add a passkey',
      title: 'Add a passkey',
      greeting: 'Hello {{.DisplayName}},',
      text: 'Open the link on the device with which you want to sign in from now on, and add a passkey to your account.',
      buttonText: 'Add passkey',
      footer: 'If you did not ask for this, ignore this mail and tell your administrator. Do not pass it on.',
    },
    one_time_code: {
      subject: 'Your code to sign in',
      title: 'Your code to sign in',
      greeting: 'Hello {{.DisplayName}},',
      text: 'Use this code to finish signing in.',
      buttonText: 'Sign in',
      footer: 'Nobody from our side will ever ask you for this code. If you are not signing in, change your password.',
    },
    password_changed: {
      subject: 'Your password was changed',
      title: 'Your password was changed',
      greeting: 'Hello {{.DisplayName}},',
      text: 'The password of your account {{.UserName}} was changed.',
      buttonText: 'Sign in',
      footer: 'If it was not you, reset your password at once and tell your administrator.',
    },
  },
}
