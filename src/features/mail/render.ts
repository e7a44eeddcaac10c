/** Renders an email: fills the parts with values and creates HTML and plain text. Pure. */
import type { Language } from '../../kernel/languages.ts'
import { fillPlaces } from '../../kernel/placeholders.ts'
import { builtInParts, labelsIn } from './built-in-texts.ts'
import { escapeHtml, type FilledMail, layoutHtml, layoutText, lines, type MailLook } from './layout.ts'
import type { CustomParts, MessageParts, MessageType } from './message-types.ts'
import type { Link } from './url-template.ts'

const MINUTES_PER_HOUR = 60

/** `90 minutes`, `1 heure`, `72 Stunden`. */
export function formatDuration(minutes: number, language: Language): string {
  const inHours = minutes % MINUTES_PER_HOUR === 0
  const unit = inHours ? 'hour' : 'minute'
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(inHours ? minutes / MINUTES_PER_HOUR : minutes)
}

/** The values of an email. All of them are text and are escaped in HTML. */
export interface MailValues {
  readonly displayName: string
  readonly firstName?: string
  readonly lastName?: string
  /** The login name of the user. */
  readonly userName?: string
  readonly organizationName?: string
  /** What the user is invited to. Defaults to the organization. */
  readonly applicationName?: string
  readonly link?: Link
  readonly code?: string
  /** What a notice adds, such as the browser. */
  readonly detail?: string
  /** How long code and link are valid. */
  readonly validForMinutes?: number
}

/** An email that is ready to be sent. */
export interface RenderedMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Converts text to one line without control characters, so that a value cannot end a header. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
}

function plain(text: string): string {
  return (
    text
      .toWellFormed()
      .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
  )
}

function placesFor(values: MailValues): Readonly<Record<string, string>> {
  return {
    DisplayName: oneLine(values.displayName),
    FirstName: oneLine(values.firstName ?? ''),
    LastName: oneLine(values.lastName ?? ''),
    UserName: oneLine(values.userName ?? ''),
    OrganizationName: oneLine(values.organizationName ?? ''),
    ApplicationName: oneLine(values.applicationName || values.organizationName || 'Signet'),
    Detail: oneLine(values.detail ?? ''),
    Code: oneLine(values.code ?? ''),
    Link: values.link ?? '',
  }
}

function customPage(page: string, filled: FilledMail, places: Readonly<Record<string, string>>): string {
  const values = Object.fromEntries(Object.entries(places).map(([name, value]) => [name, escapeHtml(value)]))
  const parts = {
    Subject: escapeHtml(filled.subject),
    Title: lines(filled.title).text,
    Greeting: lines(filled.greeting).text,
    Text: lines(filled.text).text,
    ButtonText: escapeHtml(filled.buttonText),
    Footer: lines(filled.footer).text,
  }
  return fillPlaces(page, { ...values, ...parts })
}

/** The parts with their values, and a page of one's own if there is one. */
interface Filling {
  readonly filled: FilledMail
  readonly places: Readonly<Record<string, string>>
  readonly page: string | undefined
}

/** What an email is made of. */
export interface MailContent {
  readonly type: MessageType
  readonly language: Language
  /** The custom parts, most specific first. */
  readonly custom: readonly CustomParts[]
  readonly values: MailValues
}

/** Fills the parts with values. */
export function fillMail({ type, language, custom, values }: MailContent): Filling {
  const labels = labelsIn(language)
  const parts = effectiveParts(type, language, custom)
  const places = placesFor(values)
  const fill = (text: string): string => plain(fillPlaces(text, places))
  const minutes = values.validForMinutes
  const filled: FilledMail = {
    language,
    subject: oneLine(fillPlaces(parts.subject, places)),
    preHeader: oneLine(fillPlaces(parts.preHeader ?? '', places)),
    title: fill(parts.title),
    greeting: fill(parts.greeting),
    text: fill(parts.text),
    buttonText: oneLine(fillPlaces(parts.buttonText, places)),
    footer: fill(parts.footer),
    link: places.Link ?? '',
    linkLabel: labels.link,
    code: places.Code ?? '',
    codeLabel: labels.code,
    validity: minutes === undefined ? '' : labels.validFor({ duration: formatDuration(minutes, language) }),
  }
  return { filled, places, page: parts.html }
}

/** Fills the parts with values; `custom` are the custom parts, most specific first. */
export function renderMail(
  type: MessageType,
  language: Language,
  custom: readonly CustomParts[],
  values: MailValues,
  look?: MailLook,
): RenderedMail {
  const { filled, places, page } = fillMail({ type, language, custom, values })
  const html = page === undefined ? layoutHtml(filled, look) : customPage(page, filled, places)
  return { subject: filled.subject, text: layoutText(filled), html }
}

/** Returns the most specific custom text of each part, or the built-in one. */
export function effectiveParts(
  type: MessageType,
  language: Language,
  custom: readonly CustomParts[],
): MessageParts & Pick<CustomParts, 'html' | 'preHeader'> {
  return Object.assign({}, builtInParts(type, language), ...custom.toReversed())
}
