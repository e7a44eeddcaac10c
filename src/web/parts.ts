/** The parts of pages: messages, fields, forms. */
import { html } from 'htm/preact'
import type { ComponentChildren, VNode } from 'preact'
import { PATHS } from '../kernel/page-paths.ts'
import { FIELDS_SCRIPT } from './assets.ts'
import { alertIcon, eyeIcon } from './icons.ts'
import type { Texts } from './texts/en.ts'

/** What htm makes of a template: one node, or several. */
export type Content = ComponentChildren

/** A headline. “E-mail” stays on one line: a hyphen at its end reads badly at this size. */
export function headline(text: string): Content {
  return html`<h1>${text.split(/(e-mail)/i).map((part, index) => (index % 2 === 1 ? html`<span class="whole">${part}</span>` : part))}</h1>`
}

/** Something is done, or cannot be done: a headline, what it means, and what can follow. */
export function message(title: string, paragraphs: readonly string[], next?: Content): Content {
  return html`
  ${headline(title)}
  ${paragraphs.map((paragraph) => html`<p class="lead">${paragraph}</p>`)}
  ${next}
`
}

/** One mistake in a form, by the field that has it; without a name when it is about the whole. */
export interface Mistake {
  readonly field: string
  readonly sentence: string
  /** Where it is about the whole: the field in which people correct it. */
  readonly corrects?: string
}

/** The id of the box with all mistakes; fields that have the focus are described by it, so that it is read aloud. */
const SUMMARY = 'mistakes'

/** The field in which the first mistake is corrected. */
function fieldToCorrect([first]: readonly Mistake[]): string | undefined {
  return first === undefined ? undefined : first.field || first.corrects
}

/** All mistakes above the form, each leading to its field. The field to correct has the focus; without one, the box. */
export function mistakeSummary(texts: Texts, mistakes: readonly Mistake[]): VNode | null {
  return mistakes.length === 0
    ? null
    : (html`
        <div class="mistakes" id=${SUMMARY} role="alert" tabindex="-1" autofocus=${fieldToCorrect(mistakes) === undefined}>
          ${alertIcon}
          <div>
            <h2>${texts.summary}</h2>
            <ul>
              ${mistakes.map(
                ({ field, sentence }) =>
                  html`<li>${field === '' ? sentence : html`<a href=${`#${field}`}>${sentence}</a>`}</li>`,
              )}
            </ul>
          </div>
        </div>
      ` as VNode)
}

export interface Field {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'password' | 'email' | 'tel'
  /** For passwords: the name of the button in the field that shows what is typed. */
  readonly reveal?: string
  readonly autocomplete: string
  /** What keyboards of phones show. */
  readonly inputMode?: 'numeric'
  readonly value?: string
  /** Id of a text that helps to fill it in. */
  readonly describedBy?: string
  readonly mistakes: readonly Mistake[]
  readonly isOptional?: boolean
  /** What stands under it. */
  readonly below?: Content
  /** Whether it has the focus when the page opens, unless there are mistakes to read first. */
  readonly isFirst?: boolean
}

/** For the end of what needs it; a page that has it twice runs it once. */
export function fieldsScript(): Content {
  return html`<script type="module" src=${FIELDS_SCRIPT.path}></script>`
}

/** Without a script the button does nothing, so the script shows it. */
function secret(input: Content, name: string, reveal: string): Content {
  return html`
    <div class="secret">
      ${input}
      <button
        type="button"
        class="eye-button"
        data-reveal=${name}
        aria-pressed="false"
        aria-controls=${name}
        title=${reveal}
        hidden
      >${eyeIcon}<span class="unseen">${reveal}</span></button>
    </div>
    ${fieldsScript()}
  `
}

/** A labelled input with its mistakes beside it. */
export function field(given: Field): Content {
  const { name, label, type = 'text', reveal, mistakes, isFirst, isOptional, below } = given
  const own = mistakes.filter((mistake) => mistake.field === name)
  const toCorrect = fieldToCorrect(mistakes)
  const described = [
    own.length > 0 ? `${name}-mistake` : toCorrect === name ? SUMMARY : undefined,
    given.describedBy,
  ].filter(Boolean)
  const input = html`
    <input
      id=${name}
      name=${name}
      type=${type}
      autocomplete=${given.autocomplete}
      inputmode=${given.inputMode}
      autocapitalize="none"
      spellcheck="false"
      required=${isOptional !== true}
      value=${given.value}
      autofocus=${mistakes.length === 0 ? isFirst === true : toCorrect === name}
      aria-invalid=${own.length > 0 ? 'true' : undefined}
      aria-describedby=${described.length === 0 ? undefined : described.join(' ')}
    />
  `
  return html`
    <div class=${own.length > 0 ? 'field wrong' : 'field'}>
      <label for=${name}>${label}</label>
      ${own.length > 0 && html`<p class="mistake" id=${`${name}-mistake`}>${own.map(({ sentence }) => sentence).join(' ')}</p>`}
      ${reveal === undefined ? input : secret(input, name, reveal)}
      ${below && html`<p class="below">${below}</p>`}
    </div>
  `
}

/**
 * Whose password a form is about. Password managers read only fields of type text; this one is not shown, the name beside
 * it is.
 */
export function ownerField(texts: Texts, name: string, userName: string): Content {
  return html`
    <p class="note">${texts.userName}: <strong>${userName}</strong></p>
    <input type="text" name=${name} autocomplete="username" value=${userName} readonly hidden />
  `
}

const LAST_USED = 'last-used'

/** Marks the way that this browser used last. It describes the button, and is not part of its name. */
export function lastUsedBadge({ signIn }: Texts): Content {
  return html`<span class="badge" id=${LAST_USED} aria-hidden="true">${signIn.lastUsed}</span>`
}

/** What describes a button with this badge. */
export function describedByBadge(badge: Content): string | undefined {
  return badge ? LAST_USED : undefined
}

/** Filled in by the script of passkeys, where this device can keep them: it is then offered to add one. */
export function authenticatorField(): Content {
  return html`<input type="hidden" name="authenticator" value="" data-authenticator />`
}

/** Signs out, and leads to the sign-in page, from where the visit continues to the same place. */
export function otherAccount(texts: Texts, kept: Readonly<Record<string, string | undefined>>): Content {
  return form(PATHS.signOut, { ...kept, other: 'yes' }, texts.toApplication.other, undefined, 'quiet')
}

/** A form to a page of ours with `kept` as hidden fields. We report mistakes ourselves, in the page's language. */
export function form(
  action: string,
  kept: Readonly<Record<string, string | undefined>>,
  button: Content,
  content?: Content,
  /** `second`: there is a passkey above, as long as this browser can use one. */
  look?: 'quiet' | 'second' | 'plain' | 'small' | 'small grave',
  /** The name of the button for assistive technology, where its text alone does not say what it acts on. */
  label?: string,
  /** The id of what describes the button. */
  describedBy?: string,
): Content {
  return html`
  <form method="post" action=${action} novalidate>
    ${Object.entries(kept).map(
      ([name, value]) => value !== undefined && html`<input type="hidden" name=${name} value=${value} />`,
    )}
    ${content}
    <button type="submit" class=${look} aria-label=${label} aria-describedby=${describedBy}>${button}</button>
  </form>
`
}
