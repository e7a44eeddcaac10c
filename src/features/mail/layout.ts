/**
 * The HTML page of an email: narrow, readable in light and dark mode, without tracking. Its only image is the logo of a
 * brand. HTML is escaped by
 * construction: values in a template are text, unless another template created them. Pure.
 */
import { BUILT_IN_THEMES, type Theme } from '../../theme/theme.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

/** Escapes text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"'`]/g, (sign) => ENTITIES[sign] ?? sign)
}

/** A piece of HTML. */
class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

function asHtml(value: string | Html): string {
  return value instanceof Html ? value.text : escapeHtml(value)
}

/** The template tag: escapes strings, but not pieces of HTML. */
function html(pieces: TemplateStringsArray, ...values: readonly (string | Html)[]): Html {
  return new Html(pieces.map((piece, index) => piece + asHtml(values[index] ?? '')).join(''))
}

/** Text with its line breaks. */
export function lines(text: string): Html {
  return new Html(text.split('\n').map(escapeHtml).join('<br>'))
}

/** The parts of an email with their values. Empty parts are left out. */
export interface FilledMail {
  readonly language: string
  readonly subject: string
  readonly preHeader: string
  readonly title: string
  readonly greeting: string
  readonly text: string
  readonly buttonText: string
  readonly footer: string
  readonly link: string
  readonly linkLabel: string
  readonly code: string
  readonly codeLabel: string
  readonly validity: string
}

/** The look of an email. */
export interface MailLook {
  readonly light: Theme
  readonly dark: Theme
  /** The URL of the logo, and what is shown instead of it. */
  readonly logo?: { readonly url: string; readonly alt: string } | undefined
}

const NOTHING = new Html('')

const FONT = 'font-family:-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif'

// Mail programs without style sheets use the light colors of the style attributes.
function darkStyles({ ground, paper, line, ink, tint, soft, accent, button, onButton }: Theme): Html {
  return new Html(`<style>
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:${ground}!important}
.card{background:${paper}!important;border-color:${line}!important}
.title,.body,.code{color:${ink}!important}
.code{background:${tint}!important}
.quiet{color:${soft}!important}
.quiet a{color:${accent}!important}
.button{background:${button}!important;color:${onButton}!important}
}
</style>`)
}

/** Mail programs show it beside the subject; it is not part of the page. */
function preHeaderOf(text: string): Html {
  return text === ''
    ? NOTHING
    : html`<div style="display:none;max-height:0;overflow:hidden">${text}</div>
`
}

function paragraph(text: string, { ink }: Theme): Html {
  return text === ''
    ? NOTHING
    : html`<p class="body" style="margin:0 0 16px;font-size:16px;line-height:24px;color:${ink}">${lines(text)}</p>`
}

function titleOf(text: string, { ink }: Theme): Html {
  return text === ''
    ? NOTHING
    : html`<h1 class="title" style="margin:0 0 20px;font-size:22px;line-height:28px;font-weight:600;color:${ink}">${lines(text)}</h1>`
}

function quiet(content: Html, { soft }: Theme): Html {
  return html`<p class="quiet" style="margin:0 0 12px;font-size:13px;line-height:20px;color:${soft};word-break:break-word">${content}</p>`
}

function button(link: string, text: string, { button: ground, onButton }: Theme): Html {
  return link === '' || text === ''
    ? NOTHING
    : html`<p style="margin:0 0 24px"><a class="button" href="${link}" style="display:inline-block;padding:12px 22px;border-radius:8px;background:${ground};color:${onButton};font-size:16px;font-weight:600;text-decoration:none">${text}</a></p>`
}

function codeBlock(code: string, label: string, theme: Theme): Html {
  return code === ''
    ? NOTHING
    : html`${quiet(html`${label}`, theme)}<p class="code" style="display:inline-block;margin:0 0 24px;padding:10px 16px;border-radius:8px;background:${theme.tint};font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:22px;letter-spacing:3px;color:${theme.ink}">${code}</p>`
}

function logoOf({ logo }: MailLook): Html {
  return logo === undefined
    ? NOTHING
    : html`<p style="margin:0 0 24px"><img src="${logo.url}" alt="${logo.alt}" height="40" style="display:block;height:40px;max-width:220px"></p>
`
}

/** The whole page. */
export function layoutHtml(mail: FilledMail, look: MailLook = BUILT_IN_THEMES): string {
  const { light } = look
  return html`<!doctype html>
<html lang="${mail.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${mail.subject}</title>
${darkStyles(look.dark)}
</head>
<body class="page" style="margin:0;padding:0;background:${light.ground};${FONT}">
${preHeaderOf(mail.preHeader)}<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:${light.ground}">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:${light.paper};border:1px solid ${light.line};border-radius:12px">
<tr><td align="left" style="padding:32px;${FONT}">
${logoOf(look)}${titleOf(mail.title, light)}
${paragraph(mail.greeting, light)}
${paragraph(mail.text, light)}
${button(mail.link, mail.buttonText, light)}
${codeBlock(mail.code, mail.codeLabel, light)}
${mail.validity === '' ? NOTHING : quiet(html`${mail.validity}`, light)}
${mail.link === '' ? NOTHING : quiet(html`${mail.linkLabel}<br><a href="${mail.link}" style="color:${light.accent}">${mail.link}</a>`, light)}
${mail.footer === '' ? NOTHING : quiet(lines(mail.footer), light)}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`.text
}

/** The content as plain text. */
export function layoutText(mail: FilledMail): string {
  return [
    mail.title,
    mail.greeting,
    mail.text,
    mail.link === '' ? '' : [mail.buttonText, mail.link].filter((line) => line !== '').join('\n'),
    mail.code === '' ? '' : `${mail.codeLabel}: ${mail.code}`,
    mail.validity,
    mail.footer === '' ? '' : `-- \n${mail.footer}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n')
}
