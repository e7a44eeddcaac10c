/** The parts of the account page. */

import { html } from 'htm/preact'
import type { Language } from '../../../kernel/languages.ts'
import { type Content, form } from '../../parts.ts'
import type { Visit } from '../../site.ts'
import type { Texts } from '../../texts/en.ts'

/** A browser as its user reads it: “Chrome on Linux”. Other descriptions stay as they are. */
export function deviceName({ account, buttons }: Texts, description: string): string {
  const [browser = '', system, ...more] = description.split(', ')
  if (description === '') return account.unknownDevice
  return system === undefined || more.length > 0 ? description : buttons.device({ browser, system })
}

/** Names of which each is there once: those that are not get a date. */
export function distinctNames(
  names: readonly string[],
  dates: readonly number[],
  language: Language,
): readonly string[] {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })
  return names.map((name, index) =>
    names.filter((one) => one === name).length > 1 ? `${name}, ${format.format(dates[index])}` : name,
  )
}

/** A line with what it is, what is known about it, and what can be done. */
export function row(name: Content, about: Content, actions: Content): Content {
  return html`
  <li>
    <div class="what"><strong>${name}</strong>${about && html`<span>${about}</span>`}</div>
    <div class="actions">${actions}</div>
  </li>
`
}

interface ActionLook {
  readonly isGrave?: boolean
  /** The name for assistive technology. */
  readonly label?: string
}

type Action = (path: string, fields: Readonly<Record<string, string>>, button: string, look?: ActionLook) => Content

/** A small form that does one thing. */
export function actionsOf({ lang }: Visit): Action {
  return (path, fields, button, { isGrave = false, label } = {}) =>
    form(path, { ...fields, lang }, button, undefined, isGrave ? 'small grave' : 'small', label)
}

/** A part of the page under a headline of its own. */
export function section(title: string, id: string, lead: string | undefined, rows: Content, more?: Content): Content {
  return html`
  <section aria-labelledby=${id}>
    <h2 id=${id}>${title}</h2>
    ${lead !== undefined && html`<p class="lead">${lead}</p>`}
    <ul class="rows">${rows}</ul>
    ${more}
  </section>
`
}
