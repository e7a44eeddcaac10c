/**
 * The texts of the hosted pages that an instance and its organizations can change: their keys, which are those of
 * `src/web/texts`, what they are on their page, and the placeholders that stand for values. Pure; the console reads it too.
 */

/** What a text is on its page. */
export type PagePart = 'heading' | 'text' | 'label' | 'button'

export interface CustomizableText {
  readonly part: PagePart
  /** The values that the page gives, `UserName` for its `userName`. A custom text contains each of them. */
  readonly places: readonly string[]
}

/** What the sentence of a page calls the value of a place: `userName` for `{{.UserName}}`. */
export function valueOfPlace(place: string): string {
  return place.charAt(0).toLowerCase() + place.slice(1)
}

const is = (part: PagePart, ...places: readonly string[]): CustomizableText => ({ part, places })

const [heading, text, label, button] = [is('heading'), is('text'), is('label'), is('button')]
const [USER, APPLICATION, PROVIDER, EMAIL] = ['UserName', 'ApplicationName', 'ProviderName', 'EmailAddress'] as const

/** The texts by area and key. */
export const PAGE_TEXT_AREAS = {
  signIn: {
    'signIn.title': heading,
    'toApplication.signIn': is('heading', APPLICATION),
    'signIn.name': label,
    'signIn.password': label,
    'signIn.button': button,
    'signIn.passkey': button,
    'external.signInWith': is('button', PROVIDER),
    'toApplication.otherWays': button,
    'toApplication.noAccount': text,
    'toApplication.register': button,
    'signIn.refused': text,
  },
  accounts: {
    'accounts.title': heading,
    'accounts.lead': is('text', APPLICATION),
    'toApplication.other': button,
    'again.title': heading,
    'toApplication.again': is('text', USER, APPLICATION),
    'again.lead': is('text', USER),
    'again.button': button,
    'again.passkey': button,
  },
  secondFactor: {
    'secondFactor.title': heading,
    'secondFactor.lead.u2f': text,
    'secondFactor.lead.totp': text,
    'secondFactor.lead.otp_email': text,
    'secondFactor.lead.otp_sms': text,
    'secondFactor.lead.recovery_code': text,
    'secondFactor.button': button,
    'secondFactor.useKey': button,
    'secondFactor.send': button,
    'secondFactor.others': button,
    'requiredFactor.title': heading,
    'requiredFactor.lead': text,
    'requiredFactor.app': button,
    'requiredFactor.key': button,
  },
  registration: {
    'register.title': heading,
    'register.lead': is('text', APPLICATION),
    'register.firstName': label,
    'register.lastName': label,
    'register.email': label,
    'register.password': label,
    'register.button': button,
    'register.signIn': button,
    'register.codeTitle': heading,
    'register.codeLead': is('text', EMAIL),
    'register.code': label,
    'register.codeButton': button,
    'register.closed': heading,
    'register.closedText': text,
  },
  password: {
    'forgotten.title': heading,
    'forgotten.lead': text,
    'forgotten.name': label,
    'forgotten.button': button,
    'sent.title': heading,
    'sent.text': text,
    'password.resetTitle': heading,
    'password.resetLead': text,
    'password.first': label,
    'password.resetButton': button,
    'password.resetDone': heading,
    'password.resetDoneText': text,
    'changePassword.title': heading,
    'changePassword.required': text,
  },
  invitation: {
    'password.inviteTitle': heading,
    'password.inviteLead': text,
    'password.inviteButton': button,
    'password.inviteDone': heading,
    'password.inviteDoneText': text,
    'verifyEmail.title': heading,
    'verifyEmail.lead': text,
    'verifyEmail.code': label,
    'verifyEmail.button': button,
    'verifyEmail.done': heading,
    'verifyEmail.doneText': text,
  },
  passkey: {
    'registerPasskey.title': heading,
    'registerPasskey.lead': text,
    'registerPasskey.done': heading,
    'registerPasskey.doneText': text,
    'setUpPasskey.create': button,
    'setUpPasskey.instead': button,
    'offerPasskey.title': heading,
    'offerPasskey.lead': text,
    'offerPasskey.button': button,
    'offerPasskey.later': button,
  },
  consent: {
    'consent.title': is('heading', APPLICATION),
    'consent.lead': is('text', APPLICATION, USER),
    'consent.allow': button,
    'consent.deny': button,
    'consent.later': text,
  },
  signedOut: {
    'signedOut.title': heading,
    'signedOut.lead': text,
    'signedOut.again': button,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, CustomizableText>>>>

export type PageTextArea = keyof typeof PAGE_TEXT_AREAS

/** Every text by its key. */
export const PAGE_TEXTS: ReadonlyMap<string, CustomizableText> = new Map(
  Object.values(PAGE_TEXT_AREAS).flatMap((texts) => Object.entries<CustomizableText>(texts)),
)

/** The built-in text of a key, with its placeholders; `texts` are the sentences of a language. */
export function builtInText(texts: unknown, key: string): string {
  const value = key
    .split('.')
    .reduce<unknown>((group, name) => (group as Readonly<Record<string, unknown>> | undefined)?.[name], texts)
  const places = PAGE_TEXTS.get(key)?.places ?? []
  if (typeof value !== 'function') return String(value ?? '')
  return String(value(Object.fromEntries(places.map((place) => [valueOfPlace(place), `{{.${place}}}`]))))
}

/**
 * Whether a text is only taken from the organization of the user. The pages of an application can have the look of the
 * organization that owns it, which must not name the buttons with which others give it access.
 */
export function isForOwnUsers(key: string): boolean {
  return Object.hasOwn(PAGE_TEXT_AREAS.consent, key)
}
