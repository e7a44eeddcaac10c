/**
 * Times on pages. The server does not know the time zone of a browser, so it writes UTC and says so; a script writes
 * them again in the time zone of the browser.
 */
import { html } from 'htm/preact'
import type { Language } from '../kernel/languages.ts'
import { TIMES_SCRIPT } from './assets.ts'
import type { Content } from './parts.ts'

/** A date and time in the language. */
export function time(at: number, language: Language): Content {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  return html`<time datetime=${new Date(at).toISOString()}>${format.format(at)} UTC</time>`
}

/** The script, for the end of a page with times. */
export function timesScript(): Content {
  return html`<script type="module" src=${TIMES_SCRIPT.path}></script>`
}
