/** HTML that is escaped by construction: whatever is put into a template is text, unless it was made by one. Pure. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

/** Text as it stands in HTML, between tags or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"'`]/g, (sign) => ENTITIES[sign] ?? sign)
}

/** A piece of HTML. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

function asHtml(value: string | Html): string {
  return value instanceof Html ? value.text : escapeHtml(value)
}

/** The tag of a template: strings in it are escaped, pieces of HTML are not. */
export function html(pieces: TemplateStringsArray, ...values: readonly (string | Html)[]): Html {
  return new Html(pieces.map((piece, index) => piece + asHtml(values[index] ?? '')).join(''))
}

/** Text whose line breaks stay. */
export function lines(text: string): Html {
  return new Html(text.split('\n').map(escapeHtml).join('<br>'))
}
