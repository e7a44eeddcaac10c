/** The line above the explorer: whether requests carry a token, and the way to sign in. */

import { PATHS } from '../../../src/kernel/page-paths.ts'
import { textAt } from '../texts/languages.ts'
import { barTexts } from './texts/index.ts'

interface BarOptions {
  readonly isSignedIn: boolean
  /** Why the sign-in did not work; empty when it did, or was not tried. */
  readonly failure: string
  /** What the explorer can show, and what it shows. */
  readonly services: readonly { readonly name: string; readonly title: string }[]
  readonly service: string
  onSignIn(): void
  onService(name: string): void
}

function textsOfBrowser() {
  const tags = navigator.languages.map((tag) => tag.toLowerCase().split('-', 1)[0] ?? '')
  return tags.map((tag) => textAt(barTexts, tag)).find(Boolean) ?? barTexts.en
}

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

/** Fills the line. */
export function showBar({ isSignedIn, failure, services, service, onSignIn, onService }: BarOptions): void {
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
  const label = element('label', texts.service)
  const choice = document.createElement('select')
  choice.append(...services.map(({ name, title }) => new Option(title, name, name === service, name === service)))
  choice.addEventListener('change', () => onService(choice.value))
  label.append(' ', choice)
  document
    .getElementById('bar')
    ?.append(element('strong', texts.title), label, notice, ...(isSignedIn ? [] : [button]), ...links)
}
