/** The built-in texts of emails in English. */
import type { LanguageTexts } from '../message-types.ts'

export const english: LanguageTexts = {
  labels: {
    code: 'Your code',
    link: 'If the button does not work, copy this link into your browser:',
    validFor: (duration) => `Valid for ${duration}.`,
  },
  messages: {
    verify_email: {
      subject: 'Verify your email address',
      title: 'Verify your email address',
      greeting: 'Hello {{.DisplayName}},',
      text: 'Please verify that this email address belongs to you.',
      buttonText: 'Verify email address',
      footer: 'If you did not expect this email, you can ignore it.',
    },
    password_reset: {
      subject: 'Reset your password',
      title: 'Reset your password',
      greeting: 'Hello {{.DisplayName}},',
      text: 'We received a request to reset the password of your account {{.UserName}}.',
      buttonText: 'Reset password',
      footer:
        'If you did not request this, you can ignore this email. Your password will not change. Do not forward this email.',
    },
    invitation: {
      subject: 'Invitation to {{.ApplicationName}}',
      title: 'Welcome',
      greeting: 'Hello {{.DisplayName}},',
      text: 'An account at {{.ApplicationName}} has been created for you. Accept the invitation and choose how you want to sign in.',
      buttonText: 'Accept invitation',
      footer: 'If you did not expect this invitation, you can ignore this email. Do not forward it.',
    },
    passkey_link: {
      subject: 'Add a passkey',
      title: 'Add a passkey',
      greeting: 'Hello {{.DisplayName}},',
      text: 'Open this link on the device that you want to sign in with, and add a passkey to your account.',
      buttonText: 'Add passkey',
      footer: 'If you did not request this, ignore this email and tell your administrator. Do not forward it.',
    },
    one_time_code: {
      subject: 'Your verification code',
      title: 'Your verification code',
      greeting: 'Hello {{.DisplayName}},',
      text: 'Use this code to finish signing in.',
      buttonText: 'Sign in',
      footer: 'Never share this code with anyone. If you are not trying to sign in, change your password.',
    },
    password_changed: {
      subject: 'Your password was changed',
      title: 'Your password was changed',
      greeting: 'Hello {{.DisplayName}},',
      text: 'The password of your account {{.UserName}} was changed.',
      buttonText: 'Sign in',
      footer: 'If you did not do this, reset your password immediately and tell your administrator.',
    },
    sign_in_locked: {
      subject: 'Sign-in is locked for a while',
      title: 'Sign-in is locked for a while',
      greeting: 'Hello {{.DisplayName}},',
      text: 'There were too many failed attempts to sign in to your account {{.UserName}}. We have locked the sign-in for a while. You can still use a passkey or reset your password.',
      buttonText: 'Sign in',
      footer:
        'If these attempts were not yours, choose a password that you use nowhere else and tell your administrator.',
    },
  },
}
