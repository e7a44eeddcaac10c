/** Every sentence of the hosted pages, in English. The other languages have its shape: one that lacks a sentence is refused. */
import { accountTexts } from './account/en.ts'
import { externalTexts } from './external/en.ts'
import { signInTexts } from './sign-in/en.ts'

export const en = {
  ...signInTexts,
  ...accountTexts,
  ...externalTexts,
  languages: 'Languages',
  summary: 'Please look at this again',
  start: {
    title: 'Hello',
    lead: 'This is Signet, an identity server. It keeps accounts and knows who is who, so that applications need not.',
    forgotten: 'I have forgotten my password',
    api: 'What applications can ask (OpenAPI)',
    inbox: 'Development inbox',
    health: 'Is the server ready?',
  },
  verifyEmail: {
    title: 'Confirm your e-mail address',
    lead: 'One click, and we know that this address is yours.',
    code: 'Code from the e-mail',
    codeMissing: 'Enter the code from the e-mail.',
    button: 'Confirm address',
    done: 'Your address is confirmed',
    doneText: 'Thank you. There is nothing more to do here: you can close this page.',
  },
  password: {
    resetTitle: 'Choose a new password',
    resetLead: 'It takes the place of the one you had.',
    inviteTitle: 'Welcome',
    inviteLead: 'Choose a password, and your account is ready. With that you also confirm your e-mail address.',
    setupTitle: 'Set up your server',
    setupLead: 'It is in your hands. Choose a password that nobody else knows, or use a passkey.',
    first: 'New password',
    second: 'The same once more',
    missing: 'Enter a password.',
    different: 'The two passwords are not the same.',
    resetButton: 'Set password',
    inviteButton: 'Accept invitation',
    setupButton: 'Set password',
    rules: 'What makes a password good',
    atLeast: (count: number) => `At least ${count} characters. A few words that do not belong together do well.`,
    needsLowercase: 'A lowercase letter',
    needsUppercase: 'An uppercase letter',
    needsNumber: 'A number',
    needsSymbol: 'A symbol, like ! or ?',
    notCommon: 'Nothing that many people use, and not your own name or address',
    resetDone: 'Your password is set',
    resetDoneText: 'From now on you sign in with the new one. You can close this page.',
    inviteDone: 'Your account is ready',
    inviteDoneText: 'Your password is set and your e-mail address confirmed. You can close this page.',
  },
  flaws: {
    too_short: (least: number, _most: number) => `The password needs at least ${least} characters.`,
    too_long: (_least: number, most: number) => `The password may have at most ${most} characters.`,
    no_lowercase: () => 'The password needs a lowercase letter.',
    no_uppercase: () => 'The password needs an uppercase letter.',
    no_number: () => 'The password needs a number.',
    no_symbol: () => 'The password needs a symbol.',
    common: () => 'Too many people use this password. Choose another one.',
    own_name: () => 'The password is too close to your own name or address. Choose another one.',
  },
  setupDone: {
    title: 'You are set up',
    name: (userName: string) => `Your user name is “${userName}”. Your password is set, and you are signed in.`,
    next: 'What comes next',
    token: 'Programs sign in with the token in the file admin.pat of the data folder. Keep it like a key.',
    mail: 'Until you configure a mail server, every mail stays in the development inbox.',
    api: 'The API does everything else: people, organizations, machines.',
  },
  forgotten: {
    title: 'RemovedStream your password?',
    lead: 'Tell us your user name, and we send a link to the e-mail address of your account.',
    name: 'User name',
    missing: 'Enter your user name.',
    button: 'Send me a link',
  },
  sent: {
    title: 'Look into your mailbox',
    text: 'If there is an account that fits, a mail with a link is on its way. It may take a minute; look among the unwanted mails too.',
    again:
      'Nothing there after a few minutes? Make sure that nothing was misspelt, then ask again, or ask the people who run this service.',
  },
  stale: {
    title: 'This link does not work',
    text: 'It may have been used before, be too old, or have been replaced by a newer one.',
    button: 'Send me a new link',
    setupText:
      'It may have been used before, be too old, or have been replaced by a newer one. Whoever runs the server makes a new one with the command “signet setup-link”.',
  },
  incomplete: {
    title: 'A piece of the link is missing',
    text: 'Mail programs sometimes break long links. Copy the whole link from the mail into the address bar.',
  },
  busy: {
    title: 'One moment, please',
    text: 'There is a lot going on here right now. Nothing is lost: go back and try again in a few seconds.',
  },
  notFound: { title: 'There is nothing here', text: 'Perhaps the address was misspelt, or the page has gone.' },
  notAllowed: { title: 'Not like this', text: 'This page cannot be used in that way.' },
  crossSite: {
    title: 'This came from elsewhere',
    text: 'The form was not sent from a page of ours, so we did nothing. Open the link from your mail once more.',
  },
  unreadable: { title: 'We could not read that', text: 'What was sent is not a form of ours, or far too long.' },
  fault: {
    title: 'That is our mistake',
    text: 'Something went wrong here, not with you. Please try again in a little while.',
  },
  signInFailed: {
    title: 'Signing in did not work',
    text: 'It took too long, or was finished already. Go back to where you wanted to sign in and begin once more.',
  },
  home: 'To the start page',
  inbox: {
    title: 'Development inbox',
    lead: 'As long as no mail server is configured, every mail stays here. Only this machine can see this page.',
    empty: 'No mail yet.',
    to: 'To',
    at: 'Date',
    back: 'All mails',
    asText: 'As plain text',
    body: 'Text of the mail',
  },
}

/** The sentences of a language. */
export type Texts = typeof en
