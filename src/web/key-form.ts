/** A form that the script sends: it asks the browser for a passkey or key and puts the answer in. */
import { html } from 'htm/preact'
import type { Content } from './parts.ts'
import type { Texts } from './texts/en.ts'

export interface KeyForm {
  readonly action: string
  readonly does: 'get' | 'create'
  /** `offer`: passkeys are offered where the user name is typed; `now`: the dialogue opens by itself. */
  readonly begins?: 'offer' | 'now'
  readonly kept: Readonly<Record<string, string | undefined>>
  readonly button: string
  readonly isQuiet?: boolean
  readonly content?: Content
}

/** Hidden until the script shows it, because without a script it could do nothing. */
export function keyForm(texts: Texts, given: KeyForm): Content {
  const { action, does, begins, kept, button, isQuiet = false, content } = given
  const { cancelled, known, failed, unsupported, needsScript } = texts.keys
  return html`
    <form method="post" action=${action} data-key=${does} data-begin=${begins} hidden novalidate>
      ${Object.entries(kept).map(
        ([name, value]) => value !== undefined && html`<input type="hidden" name=${name} value=${value} />`,
      )}
      <input type="hidden" name="credential" value="" />
      ${does === 'create' && html`<input type="hidden" name="keyId" value="" />`}
      ${content}
      <button type="submit" class=${isQuiet ? 'quiet' : undefined}>${button}</button>
      <p
        class="status"
        role="status"
        aria-live="polite"
        data-cancelled=${cancelled}
        data-known=${known}
        data-failed=${failed}
        data-unsupported=${unsupported}
      ></p>
    </form>
    <noscript><p class="note">${needsScript}</p></noscript>
  `
}
