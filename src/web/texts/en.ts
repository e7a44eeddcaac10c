/** Every sentence of the hosted pages, in English. The other languages are data of the same shape; see `language.ts`. */
import type { Sentences, Translation } from '../../kernel/sentences.ts'
import { accountTexts } from './english/account.ts'
import { applicationTexts } from './english/applications.ts'
import { approvalTexts } from './english/approvals.ts'
import { externalTexts } from './english/external.ts'
import { methodTexts } from './english/methods.ts'
import { personalTexts } from './english/personal.ts'
import { signInTexts } from './english/sign-in.ts'

export const en = {
  ...signInTexts,
  ...accountTexts,
  ...applicationTexts,
  ...approvalTexts,
  ...externalTexts,
  ...methodTexts,
  ...personalTexts,
  languages: 'Languages',
  summary: 'There is a problem',
  start: {
    forgotten: 'Forgot password?',
    api: 'API reference (OpenAPI)',
    inbox: 'Development inbox',
  },
  notSetUp: {
    title: 'This server isn’t set up yet',
    lead: 'Open the one-time link that the server printed when it started.',
    command: 'To get a new link, run on the server:',
    docs: 'Documentation',
    health: 'Server status',
  },
  verifyEmail: {
    title: 'Verify your email address',
    lead: 'Confirm that this email address belongs to you.',
    code: 'Verification code',
    codeMissing: 'Enter the verification code from the email.',
    button: 'Verify email address',
    done: 'Email address verified',
    doneText: 'Thank you. You can close this page.',
  },
  password: {
    resetTitle: 'Choose a new password',
    resetLead: 'The new password replaces your current one. You can also use a passkey to sign in.',
    inviteTitle: 'Accept your invitation',
    inviteLead:
      'Choose a password or use a passkey to finish setting up your account. This also verifies your email address.',
    setupTitle: 'Set up Signet',
    recoverTitle: 'Get back into your account',
    setupLead:
      'Create your administrator account. With a passkey, you sign in with your fingerprint, face or device PIN instead of a password.',
    first: 'New password',
    missing: 'Enter a password.',
    resetButton: 'Set password',
    inviteButton: 'Accept invitation',
    setupButton: 'Set password',
    rules: 'Password requirements',
    atLeast: 'At least {count} characters',
    needsLowercase: 'A lowercase letter',
    needsUppercase: 'An uppercase letter',
    needsNumber: 'A number',
    needsSymbol: 'A symbol, such as ! or ?',
    notCommon: 'Not a common password, and not your name or email address',
    resetDone: 'Password set',
    resetDoneText: 'Use your new password the next time you sign in. You can close this page.',
    inviteDone: 'Your account is ready',
    inviteDoneText: 'Your password is set and your email address is verified. You can close this page.',
  },
  flaws: {
    too_short: 'The password must have at least {least} characters.',
    too_long: 'The password must have at most {most} characters.',
    no_lowercase: 'The password must contain a lowercase letter.',
    no_uppercase: 'The password must contain an uppercase letter.',
    no_number: 'The password must contain a number.',
    no_symbol: 'The password must contain a symbol.',
    common: 'This password is too common. Choose another one.',
    own_name: 'This password is too similar to your name or email address. Choose another one.',
  },
  setupEmail: {
    lead: 'You’ll get a message to verify it.',
    label: 'Email address',
    wrong: 'Enter a valid email address.',
    button: 'Continue',
  },
  setupDone: {
    title: 'Setup complete',
    name: 'Your username is “{userName}”. Your password is set and you’re signed in.',
    next: 'Next steps',
    console: 'Manage users, organizations, projects and applications in the console.',
    token: 'API clients sign in with the token in the file admin.pat in the data folder. Keep it secret.',
    mail: 'Until you set up a mail server, all emails go to the development inbox.',
    api: 'Everything that the console does is also in the API.',
  },
  forgotten: {
    title: 'Reset your password',
    lead: 'Enter your username or email address. We’ll email you a link to reset your password.',
    name: 'Username or email address',
    missing: 'Enter your username or email address.',
    button: 'Send link',
    closed: 'Your password can’t be reset here. Contact your administrator.',
  },
  sent: {
    title: 'Check your email',
    text: 'If there is a matching account, you’ll receive an email with a link in a few minutes. Check your spam folder, too.',
    again: 'No email? Check what you entered and try again, or contact your administrator.',
  },
  stale: {
    title: 'This link is not valid',
    text: 'It has expired, was already used or was replaced by a newer link. Request a new one.',
    button: 'Send new link',
    setupText:
      'It has expired, was already used or was replaced by a newer link. To create a new one, run “signet setup-link” on the server, or “signet admin recover” if the account was set up before.',
  },
  incomplete: {
    title: 'This link is incomplete',
    text: 'Some email apps break long links. Copy the complete link from the email into the address bar.',
  },
  busy: {
    title: 'Please try again',
    text: 'The server is busy. Try again in a few seconds.',
  },
  notFound: { title: 'Page not found', text: 'Check the address. The page may have been moved or deleted.' },
  notAllowed: { title: 'Request not allowed', text: 'This page does not support this type of request.' },
  crossSite: {
    title: 'Request blocked',
    text: 'The form was sent from another site, so nothing was changed. Open the page, or the link from your email, again.',
  },
  unreadable: { title: 'Invalid request', text: 'The form could not be read or is too large. Go back and try again.' },
  fault: {
    title: 'Something went wrong',
    text: 'An error occurred on our side. Try again in a few minutes.',
  },
  signInFailed: {
    title: 'Sign-in failed',
    text: 'The sign-in took too long or was already completed. Go back to the application and start again.',
  },
  home: 'Go to home page',
  inbox: {
    title: 'Development inbox',
    lead: 'No mail server is set up, so all emails arrive here. This page is only available on this machine.',
    locked:
      'Open the link to the inbox that the server prints when it starts. Its key is in the file “inbox-key” in the data folder.',
    empty: 'No emails yet.',
    to: 'To',
    at: 'Date',
    back: 'All emails',
    asText: 'Plain text',
    body: 'Email content',
  },
} as const

/** The sentences of a language. */
export type Texts = Sentences<typeof en>

/** What is said in another language. */
export type PageTranslation = Translation<typeof en>
