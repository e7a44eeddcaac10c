/** A form that the script sends: it asks the browser for a passkey or key and puts the answer in. */
import { html } from 'htm/preact'
import { passkeyIcon } from './icons.ts'
import { type Content, describedByBadge } from './parts.ts'
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
  /** The button that leads to a password instead; the form then works without a script, too. */
  readonly instead?: string
  /** Stands beside the text of the button. */
  readonly badge?: Content
  /** Whether there are other ways, so that a browser without passkeys need not show this one. */
  readonly isOptional?: boolean
}

/** Not shown without a script, because it could do nothing. It is there from the first paint, so that nothing moves. */
export function keyForm(texts: Texts, given: KeyForm): Content {
  const { action, does, begins, kept, button, isQuiet = false, content, badge, instead, isOptional = false } = given
  const { cancelled, known, failed, unsupported, needsScript } = texts.keys
  return html`
    <form
      method="post"
      action=${action}
      data-key=${does}
      data-begin=${begins}
      data-optional=${isOptional ? '' : undefined}
      class=${instead === undefined ? 'needs-script' : undefined}
      novalidate
    >
      ${Object.entries(kept).map(
        ([name, value]) => value !== undefined && html`<input type="hidden" name=${name} value=${value} />`,
      )}
      <input type="hidden" name="credential" value="" />
      ${does === 'create' && html`<input type="hidden" name="keyId" value="" />`}
      ${content}
      <button type="submit" class=${isQuiet ? 'quiet needs-script' : 'needs-script'} aria-describedby=${describedByBadge(badge)}>${passkeyIcon}<span>${button}</span>${badge}</button>
      ${instead !== undefined && html`<button type="submit" class="plain" name="instead" value="password">${instead}</button>`}
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
    ${!isOptional && instead === undefined && html`<noscript><p class="note">${needsScript}</p></noscript>`}
  `
}
