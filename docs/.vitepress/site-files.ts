/** The last touches on the built site: inline scripts become files, and everything is compressed. */
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeGzip } from '../../console/build/compressed.ts'

const INLINE = /<script([^>]*)>([^<]+)<\/script>/g
/** In text, quotation marks are escaped. */
const STYLE = / style="[^"]*"/g

/** The files of one build, in `folder`, served at `path`. */
export class SiteFiles {
  readonly #folder: string
  readonly #path: string
  readonly #codeStyles: () => string
  readonly #written = new Set<string>()

  constructor(folder: string, path: string, codeStyles: () => string) {
    this.#folder = folder
    this.#path = path
    this.#codeStyles = codeStyles
  }

  /** Called with each page once all of them are rendered. */
  withoutInlineParts(html: string): string {
    const link = `<link rel="stylesheet" href="${this.#fileOf('code', 'css', this.#codeStyles())}">`
    return html
      .replaceAll(STYLE, '')
      .replaceAll(INLINE, (whole, attributes: string, code: string) => {
        if (/\bsrc=|type="(?!module|text\/javascript)/.test(attributes)) return whole
        return `<script${attributes} src="${this.#fileOf('page', 'js', code)}"></script>`
      })
      .replace('</head>', `${link}</head>`)
  }

  /** Compresses every file of text. With gzip alone: brotli would double the time of the build for a fifth of the size. */
  async finish(): Promise<void> {
    const files = globSync('**/*.{html,js,css,svg,md,txt}', { cwd: this.#folder })
    await Promise.all(files.map((file) => writeGzip(join(this.#folder, file))))
  }

  /** Writes a file whose name carries a hash of its content, and answers its address. */
  #fileOf(name: string, ending: string, content: string): string {
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 16)
    const file = `assets/${name}.${hash}.${ending}`
    if (!this.#written.has(file)) {
      mkdirSync(join(this.#folder, 'assets'), { recursive: true })
      writeFileSync(join(this.#folder, file), content)
      this.#written.add(file)
    }
    return `${this.#path}/${file}`
  }
}
