/** The line above the explorer: whether requests carry a token, and the way to sign in. */
import { PATHS } from '../../../src/kernel/page-paths.ts'

interface BarOptions {
  readonly isSignedIn: boolean
  /** Why the sign-in did not work; empty when it did, or was not tried. */
  readonly failure: string
  onSignIn(): void
}

interface BarTexts {
  readonly title: string
  readonly signIn: string
  readonly signedIn: string
  readonly signedOut: string
  readonly failed: string
  readonly console: string
  readonly documentation: string
}

const TEXTS: Readonly<Record<string, BarTexts>> = {
  en: {
    title: 'Signet API',
    signIn: 'Sign in',
    signedIn: 'Requests are sent with your token.',
    signedOut: 'Sign in, or enter a token under “Authentication”.',
    failed: 'The sign-in did not work:',
    console: 'Console',
    documentation: 'Documentation',
  },
  de: {
    title: 'Signet-API',
    signIn: 'Anmelden',
    signedIn: 'Anfragen werden mit Ihrem Token gesendet.',
    signedOut: 'Melden Sie sich an, oder geben Sie unter „Authentication“ ein Token ein.',
    failed: 'Die Anmeldung hat nicht funktioniert:',
    console: 'Konsole',
    documentation: 'Dokumentation',
  },
  fr: {
    title: 'API Signet',
    signIn: 'Se connecter',
    signedIn: 'Les requêtes sont envoyées avec votre jeton.',
    signedOut: 'Connectez-vous ou saisissez un jeton sous « Authentication ».',
    failed: 'La connexion n’a pas fonctionné :',
    console: 'Console',
    documentation: 'Documentation',
  },
}

function textsOfBrowser(): BarTexts {
  const tags = navigator.languages.map((tag) => tag.toLowerCase().split('-', 1)[0] ?? '')
  const found = tags.find((tag) => Object.hasOwn(TEXTS, tag)) ?? 'en'
  return (TEXTS[found] ?? TEXTS.en) as BarTexts
}

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

/** Fills the line. */
export function showBar({ isSignedIn, failure, onSignIn }: BarOptions): void {
  const texts = textsOfBrowser()
  const link = (text: string, path: string) => {
    const made = element('a', text)
    made.setAttribute('href', path)
    return made
  }
  const links = [link(texts.documentation, `${PATHS.docs}/`), link(texts.console, `${PATHS.console}/`)]
  const notice = element(
    'p',
    failure === '' ? (isSignedIn ? texts.signedIn : texts.signedOut) : `${texts.failed} ${failure}`,
  )
  notice.setAttribute('role', 'status')
  const button = element('button', texts.signIn)
  button.addEventListener('click', onSignIn)
  document
    .getElementById('bar')
    ?.append(element('strong', texts.title), notice, ...(isSignedIn ? [] : [button]), ...links)
}
