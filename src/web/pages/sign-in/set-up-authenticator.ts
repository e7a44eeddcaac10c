/** Setting up an authenticator app: its secret as a picture and as text, and a code that proves that the app has it. */
import { html } from 'htm/preact'
import { type Content, field, form, headline, type Mistake, mistakeSummary } from '../../parts.ts'
import { type Modules, qrCode } from '../../qr.ts'
import type { Shown, Visit } from '../../site.ts'

function pathOf(modules: Modules): string {
  return modules.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
}

/** A QR code as a drawing of its own; nothing when the text is too long for one. */
function qrPicture(text: string, label: string): Content {
  const modules = qrCode(text)
  if (modules === undefined) return null
  const size = modules.length
  return html`
    <svg class="qr" viewBox=${`0 0 ${size} ${size}`} role="img" aria-label=${label} shape-rendering="crispEdges">
      <rect width=${size} height=${size} fill="#ffffff" />
      <path d=${pathOf(modules)} fill="#000000" />
    </svg>
  `
}

/** The secret in groups that are easy to type. */
function grouped(secret: string): string {
  return (secret.match(/.{1,4}/g) ?? []).join(' ')
}

export interface NewApp {
  readonly uri: string
  readonly secret: string
}

/** The app that a form was about, so that the page can show it again after a mistake. */
export function readApp(fields: URLSearchParams): NewApp | undefined {
  const uri = fields.get('uri') ?? ''
  const secret = fields.get('secret') ?? ''
  return /^otpauth:\/\/totp\/[\x21-\x7e]{1,2000}$/.test(uri) && /^[A-Z2-7]{16,200}$/.test(secret)
    ? { uri, secret }
    : undefined
}

interface SetUpTarget {
  readonly action: string
  readonly kept: Readonly<Record<string, string | undefined>>
  /** The way out, for people who do not want to continue. */
  readonly out: Content
}

/** The page with the QR code, the secret and the field for the first code; `action` gets `do=verify`. */
export function showApp(
  { texts }: Visit,
  { uri, secret }: NewApp,
  { action, kept, out }: SetUpTarget,
  mistakes: readonly Mistake[] = [],
): Shown {
  const words = texts.app
  const code = field({
    name: 'code',
    label: words.code,
    autocomplete: 'one-time-code',
    inputMode: 'numeric',
    mistakes,
    isFirst: true,
  })
  return {
    status: mistakes.length > 0 ? 422 : 200,
    title: words.title,
    content: html`
      ${mistakeSummary(texts, mistakes)}
      ${headline(words.title)}
      <p class="lead">${words.lead}</p>
      ${qrPicture(uri, words.picture)}
      <p class="note">${words.byHand} <code>${grouped(secret)}</code></p>
      ${form(action, { ...kept, do: 'verify', uri, secret }, words.button, code)}
      ${out}
    `,
  }
}
